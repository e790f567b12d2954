"""Edits of the metadata block at the head of a Markdown file."""

from __future__ import annotations

import re
from typing import Any

from bot.context.edits.json_tree import Place
from bot.context.edits.splice import Splice, newline_of
from bot.context.edits.yaml_source import as_text, member_lines
from bot.context.edits.yaml_splice import member_splice, value_splice
from bot.errors import EditRefused
from bot.records.change import Edit
from context_repo_schema.frontmatter import Frontmatter, frontmatter

_FENCE = 3


def set_frontmatter(path: str, text: str, key: str, value: Any) -> Edit:
    """Sets a key of the frontmatter, or adds it at the end of the block.

    A `date` is written unquoted, a text in the style that stands there (quoted where a new one
    would read as a number or date).

    A block that is no YAML (`globs: **/*.ts`) is edited as plain `key: value` lines. Raises
    `EditRefused` where the file has no block, or the value cannot be written.
    """
    block = frontmatter(text)
    if block is None or not block.closed:
        raise EditRefused(f"{path}: there is no frontmatter; add a block between --- lines first.")
    start, end = block.start + _FENCE, _closing(text, block)
    inner = Place(path, text[start:end])
    escaped = "/" + key.replace("~", "~0").replace("/", "~1")
    if block.problem is not None:
        splice = _line_splice(inner, key, value)
    elif key in block.meta:
        splice = value_splice(inner, escaped, value)
    elif block.meta:
        splice = member_splice(inner, "", key, value)
    else:
        at = len(inner.text.rstrip())
        splice = Splice(
            at, at, newline_of(text) + newline_of(text).join(member_lines(key, value, 0, 2))
        )
    whole = splice.shifted(start)
    _prove(path, whole.applied(text), block, key, value)
    return whole.edit(path, text)


def _closing(text: str, block: Frontmatter) -> int:
    """The offset of the fence that ends the block."""
    return max(text.rfind(fence, block.start + _FENCE, block.end) for fence in ("---", "..."))


def _line_splice(inner: Place, key: str, value: Any) -> Splice:
    found = list(re.finditer(rf"(?m)^{re.escape(key)}:[ \t]*(.*?)[ \t]*\r?$", inner.text))
    if len(found) != 1 or not isinstance(value, str) or "\n" in value:
        raise inner.refuse(0, f"the frontmatter is no YAML and has no one line {key!r}; correct it")
    return Splice(*found[0].span(1), value)


def _prove(path: str, after: str, before: Frontmatter, key: str, value: Any) -> None:
    block = frontmatter(after)
    if block is None or block.meta != {**before.meta, key: as_text(value)}:
        raise EditRefused(f"{path}: the frontmatter would not read as asked; edit it by hand.")
