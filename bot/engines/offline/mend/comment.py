"""What a source says of a column or a field: its comment alone, and its name."""

from __future__ import annotations

import re

from bot.context.unit import Unit

_COMMENT = re.compile(r"(?:--|#|//)\s*(.+)$|\bCOMMENT\s+(?:IS\s+)?'((?:[^']|'')+)'", re.IGNORECASE)


def comment_of(source: Unit) -> str:
    """The comment of a column; the text itself of what is no column; empty for a bare column."""
    if source.kind != "column":
        return source.reading
    match = _COMMENT.search(source.text)
    if match is None:
        return ""
    return (match[1] or match[2].replace("''", "'")).strip()


def name_of(source: Unit) -> str:
    """The name of a column; empty for anything else."""
    return source.key if source.kind == "column" else ""
