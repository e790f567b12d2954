"""YAML as nodes that know their lines; it builds no objects and follows no anchors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from context_repo_schema.problem import Malformed

MOST_OPEN = 200
BRACKET = re.compile(r"[\[\]{}]")
TAG = "tag:yaml.org,2002:"


def compose(text: str) -> Node | None:
    """As `parse`, and a key that stands twice in one mapping is refused too."""
    root = parse(text)
    for line, key in repeated_keys(root) if root else ():
        raise Malformed(line, f"the key {key!r} stands twice")
    return root


def parse(text: str) -> Node | None:
    """The node tree of one document; None where it is empty. Raises `Malformed`.

    Refused: an anchor that is used (a few hundred bytes can mean gigabytes), a key that is no
    scalar, and nesting deeper than the interpreter can follow.
    """
    if _too_deep(text):
        raise Malformed(1, "it is nested too deeply")
    try:
        root = YAML(typ="safe", pure=True).compose(text)
        if root is not None:
            _refuse_anchors(root, set())
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(str(error.problem or error.context or error).split())
        raise Malformed(mark.line + 1 if mark else 1, problem) from error
    except YAMLError as error:
        raise Malformed(1, " ".join(str(error).split())) from error
    except RecursionError as error:
        raise Malformed(1, "it is nested too deeply") from error
    return root  # type: ignore[no-any-return]


def repeated_keys(node: Node) -> Iterator[tuple[int, str]]:
    """The line and the name of each key that stands a second time in its mapping."""
    if isinstance(node, MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if str(key.value) in seen:
                yield line_of(key), str(key.value)
            seen.add(str(key.value))
            yield from repeated_keys(value)
    elif isinstance(node, SequenceNode):
        for item in node.value:
            yield from repeated_keys(item)


def line_of(node: Node) -> int:
    """The 1-based line at which a node starts."""
    return int(node.start_mark.line) + 1


def text_value(node: Node) -> Any:
    """A node as dicts, lists and strings; a null is None, any other scalar keeps its text."""
    if isinstance(node, MappingNode):
        return {str(key.value): text_value(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [text_value(item) for item in node.value]
    return None if node.tag == TAG + "null" else str(node.value)


def typed_value(node: Node) -> Any:
    """A node as dicts, lists and scalars of YAML's core schema; dates stay text."""
    if isinstance(node, MappingNode):
        return {str(key.value): typed_value(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [typed_value(item) for item in node.value]
    return _scalar(node)


def _scalar(node: Node) -> Any:
    text = str(node.value)
    read = _READERS.get(str(node.tag).removeprefix(TAG), str)
    try:
        return read(text)
    except ValueError:
        return text


def _integer(text: str) -> int:
    plain = text.replace("_", "")
    return int(plain, 0) if plain.lstrip("+-")[:2].lower() in _BASES else int(plain)


def _real(text: str) -> float:
    return float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))


_READERS: Mapping[str, Callable[[str], Any]] = {
    "null": lambda _: None,
    "bool": lambda text: text.lower() == "true",
    "int": _integer,
    "float": _real,
}
_BASES = ("0x", "0o", "0b")


def _too_deep(text: str) -> bool:
    """The scanner takes quadratic time over open brackets, so they are counted beforehand."""
    depth = 0
    for bracket in BRACKET.findall(text):
        depth += 1 if bracket in "[{" else -1
        if depth > MOST_OPEN:
            return True
    return False


def _refuse_anchors(node: Node, seen: set[int]) -> None:
    if id(node) in seen:
        raise Malformed(line_of(node), "an anchor is used again; write the value out")
    seen.add(id(node))
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise Malformed(line_of(key), "a key must be plain text")
            _refuse_anchors(value, seen)
    elif isinstance(node, SequenceNode):
        for item in node.value:
            _refuse_anchors(item, seen)
