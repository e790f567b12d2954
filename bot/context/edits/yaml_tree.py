"""YAML with the offsets of every value, as ruamel.yaml composes it."""

from __future__ import annotations

from collections.abc import Iterator

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from bot.context.edits.json_tree import Place, parts
from bot.errors import EditRefused
from context_repo_schema.problem import Malformed
from context_repo_schema.yaml_text import compose


def root_of(place: Place) -> Node:
    """The root of the file. Raises `EditRefused` for text that is no YAML or holds no value."""
    try:
        root = compose(place.text)
    except Malformed as error:
        raise EditRefused(
            f"{place.path}, line {error.line}: {error.problem}; correct it first."
        ) from error
    if root is None:
        raise place.refuse(0, "the file holds no YAML value; write one first")
    return root


def node_at(place: Place, root: Node, pointer: str) -> Node:
    """The node at a JSON Pointer (RFC 6901). Raises `EditRefused` where there is none."""
    node = root
    for part in parts(pointer):
        inner = None
        if isinstance(node, MappingNode):
            inner = next((v for k, v in node.value if str(k.value) == part), None)
        elif isinstance(node, SequenceNode):
            inner = next((v for i, v in enumerate(node.value) if str(i) == part), None)
        if inner is None:
            raise place.refuse(start_of(node), f"there is no {part!r} here for {pointer!r}")
        node = inner
    return node


def members(node: Node) -> Iterator[tuple[Node, Node]]:
    """Every key and value of the tree."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            yield key, value
            yield from members(value)
    elif isinstance(node, SequenceNode):
        for item in node.value:
            yield from members(item)


def scalars(node: Node, head: str) -> Iterator[tuple[str, ScalarNode]]:
    """Every single value with its JSON Pointer."""
    if isinstance(node, ScalarNode):
        yield head, node
    elif isinstance(node, MappingNode):
        for key, value in node.value:
            name = str(key.value).replace("~", "~0").replace("/", "~1")
            yield from scalars(value, f"{head}/{name}")
    elif isinstance(node, SequenceNode):
        for index, item in enumerate(node.value):
            yield from scalars(item, f"{head}/{index}")


def start_of(node: Node) -> int:
    """The offset where a node begins."""
    return int(node.start_mark.index)


def end_of(node: Node) -> int:
    """The offset behind a node."""
    return int(node.end_mark.index)
