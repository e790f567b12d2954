"""JSON and YAML as one tree of values that know where they stand in the text."""

from __future__ import annotations

import json
import re
from typing import Literal

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode


class Tree(msgspec.Struct, frozen=True):
    """A value at `text[start:end]` (0-based characters; quotes and brackets included).

    `members` holds (key, value) pairs, the key being empty in a list; `value` is the decoded
    text of a scalar.
    """

    kind: Literal["map", "list", "scalar"]
    start: int
    end: int
    members: tuple[tuple[str, Tree], ...] = ()
    value: str = ""

    def get(self, key: str) -> Tree | None:
        """The member of that name, or None."""
        return next((child for name, child in self.members if name == key), None)


_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|#[^\n]*|,)*", re.S)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_WORD = re.compile(r"[^\s,\]}:]+")


def json_tree(text: str) -> Tree | None:
    """The tree of a JSON text (comments and trailing commas allowed); None if it is none."""
    try:
        return _json(text, _skip(text, 0))
    except (ValueError, RecursionError):
        return None


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _string(text: str, at: int) -> Tree:
    match = _STRING.match(text, at)
    if not match:
        raise ValueError(at)
    return Tree("scalar", at, match.end(), value=json.loads(match[0], strict=False))


def _json(text: str, at: int) -> Tree:
    opening = text[at : at + 1]
    if opening == '"':
        return _string(text, at)
    if opening not in ("{", "["):
        word = _WORD.match(text, at)
        if not word:
            raise ValueError(at)
        return Tree("scalar", at, word.end(), value=word[0])
    closing = "}" if opening == "{" else "]"
    members: list[tuple[str, Tree]] = []
    inner = _skip(text, at + 1)
    while text[inner : inner + 1] != closing:
        key = ""
        if opening == "{":
            name = _string(text, inner)
            key, inner = name.value, _skip(text, name.end)
            if text[inner : inner + 1] != ":":
                raise ValueError(inner)
            inner = _skip(text, inner + 1)
        child = _json(text, inner)
        members.append((key, child))
        inner = _skip(text, child.end)
    kind: Literal["map", "list"] = "map" if opening == "{" else "list"
    return Tree(kind, at, inner + 1, tuple(members))


def yaml_tree(text: str) -> Tree | None:
    """The tree of the first document of a YAML text; None if it cannot be read."""
    try:
        root = YAML().compose(text)
    except (YAMLError, ValueError):
        return None
    return None if root is None else _yaml(root, 0)


def _yaml(node: Node, depth: int) -> Tree:
    start, end = node.start_mark.index, node.end_mark.index
    # Aliases can make a tree endless; nothing that people keep by hand is this deep.
    if depth > 40:
        return Tree("scalar", start, end)
    if isinstance(node, MappingNode):
        pairs = [(str(key.value), _yaml(value, depth + 1)) for key, value in node.value]
        return Tree("map", start, end, tuple(pairs))
    if isinstance(node, SequenceNode):
        return Tree("list", start, end, tuple(("", _yaml(v, depth + 1)) for v in node.value))
    return Tree("scalar", start, end, value=str(node.value))
