"""Edits of JSON files that touch one value: indentation, comments and escapes stay."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from bot.context.edits.json_tree import (
    JsonNode,
    Place,
    find,
    nodes,
    parts,
    replaced,
    tree,
    value_of,
)
from bot.context.edits.splice import Splice, line_indent, newline_of
from bot.records.change import Edit

_ESCAPED = re.compile(r"\\u(?:00[89a-fA-F]|0[1-9a-fA-F]|[1-9a-fA-F])[0-9a-fA-F]*")
_PIECE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\]", re.DOTALL)


class Habits(msgspec.Struct, frozen=True):
    """How a file writes JSON."""

    newline: str
    indent: str
    ascii: bool
    slash: bool
    colon: str
    comma: str


def set_json_value(path: str, text: str, pointer: str, value: Any) -> Edit:
    """Puts a value in the place of the one at a JSON Pointer. Raises `EditRefused`."""
    place = Place(path, text)
    root = tree(place)
    node = find(place, root, pointer)
    habits = _habits(root, text)
    spread = "\n" in text[node.start : node.end] or (not node.children and _spread(root, text))
    written = _written(value, habits, line_indent(text, node.start) if spread else None)
    expected = replaced(value_of(root, text), parts(pointer), value)
    return _proved(place, Splice(node.start, node.end, written), expected)


def insert_json_member(path: str, text: str, pointer: str, key: str, value: Any) -> Edit:
    """Adds a member at the end of the object at a JSON Pointer. Raises `EditRefused`."""
    place = Place(path, text)
    root = tree(place)
    node = find(place, root, pointer)
    if text[node.start] != "{":
        raise place.refuse(node.start, f"{pointer!r} is no object; name an object to add to")
    if any(child.key == key for child in node.children):
        raise place.refuse(node.start, f"the key {key!r} stands there already; set its value")
    habits = _habits(root, text)
    head = _string(key, habits) + habits.colon
    expected = replaced(value_of(root, text), (*parts(pointer), key), value)
    return _proved(place, _appended(place, node, root, head, value), expected)


def append_json_item(path: str, text: str, pointer: str, value: Any) -> Edit:
    """Adds an item at the end of the array at a JSON Pointer. Raises `EditRefused`."""
    place = Place(path, text)
    root = tree(place)
    node = find(place, root, pointer)
    if text[node.start] != "[":
        raise place.refuse(node.start, f"{pointer!r} is no array; name an array to add to")
    items = [*value_of(node, text), value]
    expected = replaced(value_of(root, text), parts(pointer), items)
    return _proved(place, _appended(place, node, root, "", value), expected)


def replace_json_span(path: str, text: str, start: int, end: int, new: str) -> Edit:
    """Replaces a span inside one string, given by its offsets in the file; `new` has no escapes.

    Outside of strings `new` is written as it is. Raises `EditRefused` where the span cuts an
    escape, and where the file would no longer be JSON.
    """
    place = Place(path, text)
    root = tree(place)
    inside = (
        (pointer, node)
        for pointer, node in nodes(root, text)
        if text[node.start] == '"' and node.start < start and end < node.end
    )
    pointer, node = next(inside, ("", root))
    if node is root and text[root.start] != '"':
        splice = Splice(start, end, new)
        tree(Place(path, splice.applied(text)))
        return splice.edit(path, text)
    offsets, content = _offsets(text, node), value_of(node, text)
    if start not in offsets or end not in offsets:
        raise place.refuse(start, "the place cuts an escape; name whole characters")
    first, last = offsets.index(start), offsets.index(end)
    changed = content[:first] + new + content[last:]
    splice = Splice(start, end, _string(new, _habits(root, text))[1:-1])
    return _proved(place, splice, replaced(value_of(root, text), parts(pointer), changed))


def _proved(place: Place, splice: Splice, expected: Any) -> Edit:
    """The edit, once the new text was read back and says what was asked."""
    after = Place(place.path, splice.applied(place.text))
    if not _equal(value_of(tree(after), after.text), expected):
        raise place.refuse(splice.start, "the edit would not read back as asked; edit it by hand")
    return splice.edit(place.path, place.text)


def _equal(a: Any, b: Any) -> bool:
    """Equal as JSON: `True` is not 1, and 1 is not 1.0."""
    return json.dumps(a) == json.dumps(b)


def _offsets(text: str, node: JsonNode) -> list[int]:
    """The raw offset of every decoded character of a string, and of its end."""
    offsets, at = [], node.start + 1
    for match in _PIECE.finditer(text, node.start + 1, node.end - 1):
        offsets.append(at)
        at = match.end()
    return [*offsets, at]


def _appended(place: Place, node: JsonNode, root: JsonNode, head: str, value: Any) -> Splice:
    """The splice that puts one more child behind the last, spaced as its neighbours are."""
    text, habits = place.text, _habits(root, place.text)
    if not node.children:
        return _first(text, node, head, value, habits, spread=_spread(root, text))
    last = node.children[-1]
    indent = line_indent(text, last.start)
    own_line = text[: last.start].endswith("\n" + indent)
    nested = _nested_indent(text, node, indent if own_line else None)
    written = head + _written(value, habits, nested)
    end = last.comma if last.comma is not None else last.value.end
    if not own_line:
        return Splice(end, end, ("," if last.comma is None else "") + habits.comma + written)
    # A comment behind the last child stays on its line.
    stop = text.find("\n", end)
    rest = text[end:stop].rstrip("\r")
    if stop < 0 or not re.fullmatch(r"[ \t]*(?://.*|/\*.*\*/)?[ \t]*", rest):
        rest = ""
    trailing = "," if last.comma is not None else ""
    comma = "" if last.comma is not None else ","
    new = comma + rest + habits.newline + indent + written + trailing
    return Splice(end, end + len(rest), new)


def _first(
    text: str, node: JsonNode, head: str, value: Any, habits: Habits, *, spread: bool
) -> Splice:
    """The splice for a child of an empty object or array; a comment in there stays."""
    outer = line_indent(text, node.start)
    if not spread:
        return Splice(node.start + 1, node.start + 1, head + _written(value, habits, None))
    inner = outer + habits.indent
    new = habits.newline + inner + head + _written(value, habits, inner)
    inside = text[node.start + 1 : node.end - 1]
    if inside.strip():
        return Splice(node.start + 1, node.start + 1, new)
    return Splice(node.start + 1, node.end - 1, new + habits.newline + outer)


def _nested_indent(text: str, node: JsonNode, indent: str | None) -> str | None:
    """The indentation for a container's lines, or None where its siblings stand on one line."""
    siblings = [c.value for c in node.children if c.value.children]
    if siblings and not any("\n" in text[s.start : s.end] for s in siblings):
        return None
    return indent


def _written(value: Any, habits: Habits, indent: str | None) -> str:
    """A value as the file would write it: on one line, or spread with that indentation."""
    if isinstance(value, str):
        return _string(value, habits)
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value)
    items = (
        [_string(k, habits) + habits.colon for k in value]
        if isinstance(value, dict)
        else [""] * len(value)
    )
    inner = None if indent is None else indent + habits.indent
    values = value.values() if isinstance(value, dict) else value
    parts_ = [head + _written(v, habits, inner) for head, v in zip(items, values, strict=True)]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    if inner is None:
        return opening + ("," + habits.comma).join(parts_) + closing
    between = "," + habits.newline + inner
    return (
        f"{opening}{habits.newline}{inner}{between.join(parts_)}{habits.newline}{indent}{closing}"
    )


def _string(value: str, habits: Habits) -> str:
    written = json.dumps(value, ensure_ascii=habits.ascii)
    return written.replace("/", "\\/") if habits.slash else written


def _spread(root: JsonNode, text: str) -> bool:
    """Whether the file writes its containers over several lines."""
    return "\n" in text[root.start : root.end] or (not root.children and "\n" in text)


def _habits(root: JsonNode, text: str) -> Habits:
    keys = [(n, c) for _, n in nodes(root, text) for c in n.children]
    colon = next((_after_key(text, c.start, c.value.start) for _, c in keys if c.key), ": ")
    gaps = [
        text[a.comma : b.start]
        for _, n in nodes(root, text)
        for a, b in zip(n.children, n.children[1:], strict=False)
        if a.comma is not None and not text[a.comma : b.start].strip(" \t")
    ]
    return Habits(
        newline=newline_of(text),
        indent=_indent(root, text),
        ascii=text.isascii() and bool(_ESCAPED.search(text)),
        slash="\\/" in text and not re.search(r'(?<!\\)/[^"\n]*"', text),
        colon=colon,
        comma=gaps[0] if gaps else " " if colon.endswith(" ") else "",
    )


def _after_key(text: str, start: int, value: int) -> str:
    """What stands between a key and its value, the colon included."""
    match = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, start)
    gap = text[match.end() : value] if match else ": "
    return gap if not gap.replace(":", "", 1).strip(" \t") else ": "


def _indent(root: JsonNode, text: str) -> str:
    """One step of indentation: what a child has more than its container's line."""
    for _, node in nodes(root, text):
        for child in node.children:
            inner, outer = line_indent(text, child.start), line_indent(text, node.start)
            if (
                "\n" in text[node.start : child.start]
                and inner.startswith(outer)
                and inner != outer
            ):
                return inner.removeprefix(outer)
    return "  "
