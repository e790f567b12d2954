"""What a source says of a column or a field: its comment alone, and its name."""

from __future__ import annotations

import re

from bot.context.unit import Unit

_COMMENT = re.compile(r"(?:--|#|//)\s*(.+)$|\bCOMMENT\s+(?:IS\s+)?'((?:[^']|'')+)'", re.IGNORECASE)
_BARE = re.compile(r"[`\"]?([A-Za-z_]\w*)[`\"]?\s*(?:,|--|#|//)")


def comment_of(source: Unit) -> str:
    """The comment of a column; the text itself of what is no column; empty for a bare column."""
    if source.kind != "column":
        return source.reading
    match = _COMMENT.search(source.text)
    if match is None:
        return ""
    return (match[1] or match[2].replace("''", "'")).strip()


def name_of(source: Unit) -> str:
    """The name of a column, which may stand with no type behind it; empty for anything else."""
    if source.kind != "column" or source.key:
        return source.key if source.kind == "column" else ""
    match = _BARE.match(source.text)
    return match[1] if match else ""
