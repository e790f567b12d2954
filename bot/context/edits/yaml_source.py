"""How a value is written in YAML: scalars in a style that reads back, nested values by lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from ruamel.yaml.nodes import Node

from context_repo_schema.problem import Malformed
from context_repo_schema.yaml_text import TAG, parse, text_value

_PLAIN_START = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=[^\s,\[\]{}])")


def as_text(value: Any) -> Any:
    """A value as `text_value` reads it back: every scalar but null as its text."""
    if isinstance(value, dict):
        return {str(k): as_text(v) for k, v in value.items()}
    if isinstance(value, list):
        return [as_text(v) for v in value]
    return value if value is None or isinstance(value, str) else _unquoted(value)


def styles(value: Any, style: str | None) -> Iterator[str]:
    """The ways to write a scalar on one line, the wanted style (None: plain) first."""
    if not isinstance(value, str):
        yield _unquoted(value)
        return
    if "\n" not in value and style != '"':
        single = "'" + value.replace("'", "''") + "'"
        yield from (single, value) if style == "'" else (value, single)
    yield quoted(value)


def quoted(value: str) -> str:
    """A string in double quotes; JSON's escapes are YAML's."""
    return json.dumps(value, ensure_ascii=False)


def flow(value: Any) -> str:
    """A value on one line, inside `[ ]` or `{ }`."""
    return _unquoted(value) if isinstance(value, date) else json.dumps(value, ensure_ascii=False)


def block(value: Any, indent: int, dash: int) -> list[str]:
    """A value as it stands behind `key:` or `-`: what follows on the line, then further lines.

    `indent` is the column of the key, `dash` how far a list below it is set in.
    """
    if isinstance(value, str) and "\n" in value.strip("\n") and value == value.lstrip():
        chomp = "" if value.endswith("\n") else "-"
        body = value.removesuffix("\n").split("\n")
        return [f"|{chomp}", *(" " * (indent + 2) + line if line else "" for line in body)]
    if not isinstance(value, (dict, list)) or not value:
        return [scalar(value)]
    if isinstance(value, list):
        return ["", *(line for item in value for line in item_lines(item, indent + dash, 2, dash))]
    return ["", *(line for k, v in value.items() for line in member_lines(k, v, indent + 2, dash))]


def member_lines(key: str, value: Any, indent: int, dash: int) -> list[str]:
    """The lines of `key: value` at a column."""
    first, *rest = block(value, indent, dash)
    return [(" " * indent + scalar(key) + ": " + first).rstrip(" "), *rest]


def item_lines(value: Any, indent: int, gap: int, dash: int) -> list[str]:
    """The lines of `- value` at a column; `gap` is what the content is set in from the dash."""
    head = " " * indent + "-" + " " * (gap - 1)
    if isinstance(value, dict) and value:
        lines = [ln for k, v in value.items() for ln in member_lines(k, v, indent + gap, dash)]
        return [head + lines[0].lstrip(" "), *lines[1:]]
    first, *rest = block(value, indent, 2) if not isinstance(value, list) else [flow(value)]
    return [head + first, *rest]


def scalar(value: Any) -> str:
    """A scalar plain where that reads back as itself, else in double quotes."""
    if not isinstance(value, str):
        return _unquoted(value)
    try:
        node = parse(f"- {value}\n") if _PLAIN_START.match(value) and "\n" not in value else None
    except Malformed:
        node = None
    if node is not None and text_value(node) == [value] and is_string(node.value[0]):
        return value
    return quoted(value)


def _unquoted(value: Any) -> str:
    """A number, truth value, null or date as YAML's core schema writes it."""
    return value.isoformat() if isinstance(value, date) else json.dumps(value)


def is_string(node: Node) -> bool:
    """Whether YAML reads the scalar as a string."""
    return bool(node.tag == TAG + "str")
