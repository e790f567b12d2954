"""What an attribute means, whichever convention named it; the names are data beside this file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

from bot.sources.spans.span import Span
from bot.sources.spans.values import loaded, tree
from context_repo_schema.config import ToolNodeType

Role = Literal["agent", "chain", "tool", "retriever", "llm", "other"]
ROLES: tuple[Role, ...] = ("agent", "chain", "tool", "retriever", "llm", "other")
# Where no kind is told, what a span carries gives it away.
TELLING: tuple[tuple[str, Role], ...] = (
    ("gen_ai.tool.", "tool"),
    ("tool.name", "tool"),
    ("ai.toolCall.", "tool"),
    ("retrieval.documents", "retriever"),
    ("gen_ai.retrieval.", "retriever"),
    ("llm.input_messages", "llm"),
    ("gen_ai.prompt", "llm"),
    ("gen_ai.request.model", "llm"),
    ("llm.model_name", "llm"),
)


@cache
def vocabulary() -> Mapping[str, Any]:
    """The tables of `vocabulary.toml`."""
    return tomllib.loads((files("bot.sources.spans") / "vocabulary.toml").read_text("utf-8"))


def names(table: str, key: str) -> Sequence[str]:
    """The names that stand for something, the preferred first."""
    return cast("Sequence[str]", vocabulary()[table][key])


def told_type(span: Span) -> ToolNodeType | None:
    """The node type that a rule or an instrumentation gave the span."""
    told = text_field(span, "node_type")
    return next((kind for kind in get_args(ToolNodeType) if kind == told), None)


def role(span: Span) -> Role:
    """What kind of step the span is; a kind that no convention knows counts as a chain."""
    if told_type(span):
        return "tool"
    told = False
    for name in names("kind", "names"):
        kind = span.attributes.get(name)
        if isinstance(kind, str) and kind:
            told = True
            word = str(loaded(kind)).lower()
            found = next((r for r in ROLES if word in names("kind", r)), None)
            if found is not None:
                return found
    carried = (r for start, r in TELLING if any(n.startswith(start) for n in span.attributes))
    return "chain" if told else next(carried, "chain")


def field(span: Span, key: str) -> Any:
    """The first value that the span, or else its resource, holds for a meaning; None without."""
    for attributes in (span.attributes, span.resource):
        for name in names("fields", key):
            value = tree(attributes, name)
            if value not in (None, "", [], {}):
                return loaded(value)
    return None


def candidates(span: Span, key: str) -> Iterator[Any]:
    """Every value that the span holds for a meaning, the preferred first."""
    found = (tree(span.attributes, name) for name in names("fields", key))
    return (loaded(value) for value in found if value not in (None, "", [], {}))


def text_field(span: Span, key: str) -> str | None:
    """A field as stripped text; None where it is blank or no plain value."""
    value = field(span, key)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value).strip() or None
