"""The block of metadata between `---` lines at the head of a Markdown file."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from context_repo_schema.problem import Malformed
from context_repo_schema.yaml_text import compose, text_value

MOST_CHARACTERS = 64_000
FENCE = re.compile(r"---[ \t]*(?=\r?\n|\r)")
END = re.compile(r"(?:\r?\n|\r)(?:---|\.\.\.)[ \t]*(?=\r?\n|\r|\Z)")
KEY_LINE = re.compile(r"^([A-Za-z_][\w .-]{0,60}?)[ \t]{0,8}:(?:[ \t](.*))?$", re.MULTILINE)


class Frontmatter(msgspec.Struct, frozen=True):
    """What the block says, and where it stands.

    `meta` keeps scalars as their text, so that `1.10` and `2026-02-01` stay what was written.
    `start` and `end` are offsets into the text: the first and past the last character of the
    whole block, fences included. `problem` says why the block is no YAML mapping, and
    `problem_line` at which line of the file; `meta` is then what plain `key: value` lines say.
    """

    meta: dict[str, Any]
    start: int
    end: int
    problem: str | None = None
    problem_line: int = 1
    closed: bool = True


def frontmatter(text: str) -> Frontmatter | None:
    """The block of a file, or None where the file has none. It never raises.

    A block that is never closed has `closed` False, no metadata, and ends where it starts: the
    `---` may as well be a rule.
    """
    start = 1 if text.startswith("\ufeff") else 0
    if not FENCE.match(text, start):
        return None
    end = block_end(text)
    if end is None:
        return Frontmatter({}, start, start, closed=False)
    # The opening fence is dropped and its line end kept, so that lines count as in the file.
    block = text[start + len("---") : end].rstrip(" \t").removesuffix("---").removesuffix("...")
    return _parsed(block, start, end)


def block_end(text: str) -> int | None:
    """The offset past the closing fence; None where no closed block stands at the head."""
    start = 1 if text.startswith("\ufeff") else 0
    opening = FENCE.match(text, start)
    closing = END.search(text, opening.end()) if opening else None
    return closing.end() if closing else None


def key_line(text: str, block: Frontmatter, key: str) -> int:
    """The 1-based line of the file at which the block gives that key, else its first line."""
    for number, line in enumerate(text[: block.end].split("\n"), 1):
        if line.strip().startswith(f"{key}:"):
            return number
    return 1


def _parsed(block: str, start: int, end: int) -> Frontmatter:
    if len(block) > MOST_CHARACTERS:
        reason = f"the block is longer than {MOST_CHARACTERS} characters"
        return Frontmatter(_plain_lines(block), start, end, reason)
    try:
        node = compose(block)
    except Malformed as error:
        return Frontmatter(_plain_lines(block), start, end, error.problem, error.line)
    meta = {} if node is None else text_value(node)
    if not isinstance(meta, dict):
        return Frontmatter({}, start, end, "the block is no mapping of keys to values", 2)
    return Frontmatter(meta, start, end)


def _plain_lines(block: str) -> dict[str, Any]:
    """Cursor writes `globs: **/*` and skills write an unquoted colon; both are no YAML."""
    found: dict[str, Any] = {}
    for match in KEY_LINE.finditer(block.replace("\r\n", "\n").replace("\r", "\n")):
        value = (match[2] or "").strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        found.setdefault(match[1], value)
    return found
