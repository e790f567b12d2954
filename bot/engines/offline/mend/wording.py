"""What a source says, in words that can stand in another document, with its name."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from bot.context.unit import Unit

_COMMENT = re.compile(r"(?:--|#|//)\s*(.+)$")
NUMBERED = re.compile(r"^\d+(?:\.\d+)*[.)]?\s+(?=\S)")


def statement(source: Unit) -> str:
    """One sentence without its full stop: a column by its comment, a row by its columns."""
    if source.kind == "column":
        comment = _COMMENT.search(source.text)
        code = source.text[: comment.start()] if comment else source.text
        plain = " ".join(code.rstrip(" ,;").lstrip(" )").split())
        if comment is None:
            return plain
        return f"`{source.key}`: {comment[1]}" if source.key else comment[1]
    if source.cells:
        return ", ".join(part for part in source.reading.split("; ") if part)
    return NUMBERED.sub("", source.reading).rstrip(" .。")


def cited(*sources: Unit) -> str:
    """The statements with the name of the document they come from, as sentences."""
    said = ". ".join(statement(source) for source in sources)
    return f"{said} ({PurePosixPath(sources[0].path).stem})."
