"""Attribute values as JSON: flattened lists rebuilt, JSON and Python literals in texts read."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

LONGEST_LITERAL = 100_000


def loaded(value: Any) -> Any:
    """The value that a text writes down as JSON, or as Python would show it; else the text."""
    if not isinstance(value, str) or value.strip()[:1] not in ("{", "[", '"'):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return _literal(value)


def _literal(text: str) -> Any:
    """Several SDKs write `str(arguments)` instead of JSON."""
    if len(text) > LONGEST_LITERAL or text.lstrip()[:1] == '"':
        return text
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def tree(attributes: Mapping[str, Any], name: str) -> Any:
    """The attribute of that name, or what attributes below it (`name.0.key`) make together."""
    if name in attributes:
        return attributes[name]
    start = f"{name}."
    below = [
        (key[len(start) :], value) for key, value in attributes.items() if key.startswith(start)
    ]
    return _nested(below) if below else _inside(attributes, name)


def _inside(attributes: Mapping[str, Any], name: str) -> Any:
    """`metadata.user_id` may also stand in a JSON object called `metadata`."""
    outer, _, inner = name.partition(".")
    if not inner or outer not in attributes:
        return None
    value = loaded(attributes[outer])
    return value.get(inner) if isinstance(value, dict) else None


def _nested(flat: list[tuple[str, Any]]) -> Any:
    groups: dict[str, list[tuple[str, Any]]] = {}
    for key, value in flat:
        first, _, rest = key.partition(".")
        groups.setdefault(first, []).append((rest, value))
    built = {
        key: items[0][1] if len(items) == 1 and not items[0][0] else _nested(items)
        for key, items in groups.items()
    }
    if all(key.isdecimal() for key in built):
        return [built[key] for key in sorted(built, key=int)]
    return built
