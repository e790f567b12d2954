"""The texts of a session: what a node was told, read and said, and whether a quote stands there."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from bot.records.trajectory import Node, Trajectory


def strings(value: Any) -> Iterator[str]:
    """Every string inside a JSON value, in document order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def fields(value: Any) -> Iterator[str]:
    """Every name of a field inside a JSON value, in document order, without case."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name).casefold()
            yield from fields(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner)


def node_strings(node: Node) -> Iterator[str]:
    """Every text of a node: reasoning, input, output, and what its tool was asked and answered."""
    if node.reasoning:
        yield node.reasoning
    yield from strings(node.input)
    yield from strings(node.output)
    if node.tool is not None:
        yield from strings(node.tool.input)
        yield from strings(node.tool.output)
        if node.tool.error:
            yield node.tool.error


def stands_in_node(node: Node, quote: str) -> bool:
    """Whether the quote stands verbatim in one text of the node, or in its values as JSON."""
    if not quote.strip():
        return False
    if any(quote in text for text in node_strings(node)):
        return True
    tool = node.tool
    values = [node.input, node.output, *((tool.input, tool.output) if tool else ())]
    return any(quote in json.dumps(v, ensure_ascii=False) for v in values if v is not None)


def stands_in_turn(trajectory: Trajectory, turn_id: int, quote: str) -> bool:
    """Whether the quote stands verbatim in what was said in that turn."""
    at = bisect_left(trajectory.turns, turn_id, key=lambda turn: turn.turn_id)
    spoken = trajectory.turns[at : at + 1]
    return bool(quote.strip()) and any(t.turn_id == turn_id and quote in t.content for t in spoken)
