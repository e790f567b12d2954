"""What an agent's tools return of a file, and whether a quote is an exact copy of it."""

from __future__ import annotations

from bot.provenance.words import strings
from context_repo_schema.recognise import data_of


def article(path: str, text: str) -> tuple[str, str] | None:
    """Title and content of an article that is kept as a JSON object; None for any other file."""
    data = data_of(path, text) if path.endswith(".json") else None
    if not isinstance(data, dict):
        return None
    title, content = data.get("title"), data.get("content")
    return (title, content) if isinstance(title, str) and isinstance(content, str) else None


def stands_in_file(path: str, text: str, quote: str) -> bool:
    """Whether the quote stands in the file, or in a text that the file holds as JSON or YAML."""
    return quote in text or any(quote in value for value in strings(data_of(path, text)))
