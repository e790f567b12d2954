"""JSON with the offsets of every value; comments and trailing commas are passed over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from bot.errors import EditRefused

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_DEPTH = 150


class JsonNode(msgspec.Struct, frozen=True):
    """A value at `text[start:end]`; `children` are its members (with keys) or items."""

    start: int
    end: int
    children: tuple[JsonChild, ...] = ()


class JsonChild(msgspec.Struct, frozen=True):
    """One member or item: `start` is where its key (or itself) begins, `comma` what follows it.

    `comma` is the offset behind the comma after the value, or None where there is none.
    """

    key: str | None
    start: int
    value: JsonNode
    comma: int | None


class Place(msgspec.Struct, frozen=True):
    """A file's path and text, for the sentence of a refusal."""

    path: str
    text: str

    def refuse(self, at: int, problem: str) -> EditRefused:
        """The refusal that names file and line."""
        line = self.text.count("\n", 0, at) + 1
        return EditRefused(f"{self.path}, line {line}: {problem}.")


def tree(place: Place) -> JsonNode:
    """The root value. Raises `EditRefused` for text that is no JSON and for repeated keys."""
    start = _skip(place.text, 0)
    root = _value(place, start, 0)
    end = _skip(place.text, root.end)
    if end != len(place.text):
        raise place.refuse(end, "there is text behind the JSON value; remove it")
    return root


def value_of(node: JsonNode, text: str) -> Any:
    """The value that a node stands for; numbers keep their spelling as floats or integers do."""
    match text[node.start]:
        case "{":
            return {str(c.key): value_of(c.value, text) for c in node.children}
        case "[":
            return [value_of(c.value, text) for c in node.children]
        case _:
            return json.loads(text[node.start : node.end])


def find(place: Place, root: JsonNode, pointer: str) -> JsonNode:
    """The node at a JSON Pointer (RFC 6901). Raises `EditRefused` where there is none."""
    node = root
    for part in parts(pointer):
        names = [c.key if c.key is not None else str(i) for i, c in enumerate(node.children)]
        if part not in names:
            raise place.refuse(node.start, f"there is no {part!r} here for the pointer {pointer!r}")
        node = node.children[names.index(part)].value
    return node


def parts(pointer: str) -> tuple[str, ...]:
    """The reference tokens of a JSON Pointer."""
    if not pointer:
        return ()
    return tuple(p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:])


def replaced(model: Any, keys: tuple[str, ...], value: Any) -> Any:
    """A copy of a model with the value at the keys replaced (added where an object lacks it)."""
    if not keys:
        return value
    head, rest = keys[0], keys[1:]
    if isinstance(model, list):
        return [replaced(v, rest, value) if str(i) == head else v for i, v in enumerate(model)]
    return {**model, head: replaced(model.get(head), rest, value)}


def _value(place: Place, at: int, depth: int) -> JsonNode:
    text = place.text
    if depth > _DEPTH:
        raise place.refuse(at, "it is nested too deeply; edit it by hand")
    if text[at : at + 1] in ("{", "["):
        return _container(place, at, depth)
    pattern = _STRING if text[at : at + 1] == '"' else _SCALAR
    match = pattern.match(text, at)
    if match is None:
        raise place.refuse(at, "this is not JSON; correct it first")
    return JsonNode(at, match.end())


def _container(place: Place, at: int, depth: int) -> JsonNode:
    close = "}" if place.text[at] == "{" else "]"
    children: list[JsonChild] = []
    here = _skip(place.text, at + 1)
    while place.text[here : here + 1] != close:
        child = _child(place, here, close, depth)
        children.append(child)
        here = _skip(place.text, child.comma if child.comma is not None else child.value.end)
        if child.comma is None and place.text[here : here + 1] != close:
            raise place.refuse(here, f"a comma or {close!r} is missing; correct it first")
    _refuse_repeats(place, children)
    return JsonNode(at, here + 1, tuple(children))


def _child(place: Place, at: int, close: str, depth: int) -> JsonChild:
    text, key, here = place.text, None, at
    if close == "}":
        match = _STRING.match(text, at)
        colon = _skip(text, match.end()) if match else at
        if match is None or text[colon : colon + 1] != ":":
            raise place.refuse(at, "a key in double quotes and a colon are missing")
        key, here = json.loads(match.group()), _skip(text, colon + 1)
    value = _value(place, here, depth + 1)
    behind = _skip(text, value.end)
    comma = behind + 1 if text[behind : behind + 1] == "," else None
    return JsonChild(key, at, value, comma)


def _refuse_repeats(place: Place, children: list[JsonChild]) -> None:
    seen: set[str] = set()
    for child in children:
        if child.key is not None and child.key in seen:
            raise place.refuse(child.start, f"the key {child.key!r} stands twice; keep one")
        seen.add(child.key or "")


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def nodes(node: JsonNode, text: str) -> Iterator[tuple[str, JsonNode]]:
    """Every value below a node with its JSON Pointer, itself first."""
    yield "", node
    for index, child in enumerate(node.children):
        key = str(index) if child.key is None else child.key
        head = "/" + key.replace("~", "~0").replace("/", "~1")
        for tail, inner in nodes(child.value, text):
            yield head + tail, inner
