"""A session's nodes as data for a prompt, and what of them the model has had before its eyes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bot.engines.llm.clip import clip
from bot.engines.llm.fence import cleaned
from bot.engines.llm.toolbox import Ability
from bot.records.trajectory import Node, Trajectory

CHARACTERS_A_TOKEN = 4
PAGE = 12_000
HITS = 8
AROUND = 160


def row(node: Node) -> dict[str, Any]:
    """A node whole: what it read, and what it put out."""
    tool = node.tool
    told: dict[str, Any] = {
        "node": node.node_id,
        "turn": node.turn_id,
        "type": node.type,
        "reasoning": node.reasoning,
        "input": node.input,
        "output": node.output,
    }
    if tool is not None:
        told |= {"tool": tool.name, "asked": tool.input, "answered": tool.output}
        told |= {"error": tool.error, "status": tool.status if tool.status != "ok" else None}
    return {key: value for key, value in told.items() if value not in (None, "")}


def text(node: Node) -> str:
    """A node whole, as one line of JSON, cleaned."""
    return json.dumps(cleaned(row(node)), ensure_ascii=False)


class Ledger:
    """Which share of a session has been read: by the prompt, and by the tools since."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._length = {node.node_id: len(text(node)) for node in trajectory.nodes}
        self._read = dict.fromkeys(self._length, 0)

    @property
    def coverage(self) -> float:
        """Characters read of all characters, 0 to 1."""
        total = sum(self._length.values())
        return round(sum(self._read.values()) / total, 4) if total else 1.0

    def read(self, node_id: str, characters: int | None = None) -> None:
        """Note that so much of a node has been read (all of it where no number is given)."""
        whole = self._length[node_id]
        most = whole if characters is None else min(characters, whole)
        self._read[node_id] = max(self._read[node_id], most)

    def unread(self) -> tuple[str, ...]:
        """Nodes of which less than half has been read, in time order."""
        return tuple(n for n, length in self._length.items() if 2 * self._read[n] < length)


def listed(
    trajectory: Trajectory, order: Sequence[str], tokens: int, about: str, ledger: Ledger
) -> list[dict[str, Any]]:
    """All nodes in time order within about so many tokens: the first of `order` whole or cut at
    what matters least, the rest as stubs that say how much there is to read."""
    room = tokens * CHARACTERS_A_TOKEN
    whole = {node.node_id: text(node) for node in trajectory.nodes}
    if sum(map(len, whole.values())) <= room:
        for node_id in whole:
            ledger.read(node_id)
        return [row(node) for node in trajectory.nodes]
    shown: dict[str, dict[str, Any]] = {}
    for node_id in order:
        length = len(whole[node_id])
        part = min(length, max(PAGE, room // 4), room)
        if part < min(length, AROUND):
            break
        node = trajectory.node(node_id)
        if node is not None:
            shown[node_id] = row(node) if part == length else _cut(node, part, about)
            ledger.read(node_id, part)
            room -= part
    return [shown.get(n.node_id) or _stub(n, len(whole[n.node_id])) for n in trajectory.nodes]


def abilities(trajectory: Trajectory, ledger: Ledger) -> dict[str, Ability]:
    """Tools that read what the prompt left out."""

    def read_node(asked: str) -> Any:
        node, start = _place(trajectory, asked)
        if node is None:
            return f"There is no node {asked!r}; nodes are named as in the trace."
        whole = text(node)
        ledger.read(node.node_id, start + PAGE)
        more = len(whole) - start - PAGE
        tail = f" [… {more} more; read on with {node.node_id}:{start + PAGE}]" if more > 0 else ""
        return whole[start : start + PAGE] + tail

    def search_trace(query: str) -> Any:
        found = [hit for node in trajectory.nodes for hit in _hits(node, query)]
        return found[:HITS] or "No node holds these words; try fewer or others."

    return {
        "read_node": Ability(
            "Read a node of the trace whole.",
            "node",
            "its id; with :NUMBER behind it, from that character on",
            read_node,
        ),
        "search_trace": Ability(
            "Find words in all nodes of the trace.", "query", "the words, as written", search_trace
        ),
    }


def _place(trajectory: Trajectory, asked: str) -> tuple[Node | None, int]:
    node = trajectory.node(asked.strip())
    if node is not None:
        return node, 0
    name, _, start = asked.strip().rpartition(":")
    return trajectory.node(name), int(start) if start.isdecimal() else 0


def _hits(node: Node, query: str) -> Iterable[dict[str, str]]:
    whole = text(node)
    at = whole.casefold().find(query.strip().casefold()) if query.strip() else -1
    if at >= 0:
        yield {"node": node.node_id, "at": whole[max(0, at - AROUND) : at + AROUND]}


def _cut(node: Node, length: int, about: str) -> dict[str, Any]:
    """A node whose long texts are cut to their share of the room."""

    def shorter(value: Any, room: int) -> Any:
        if isinstance(value, str):
            return clip(value, max(room, AROUND), about)
        if isinstance(value, dict):
            return {key: shorter(inner, room) for key, inner in value.items()}
        if isinstance(value, list):
            share = max(AROUND, room // max(1, len(value)))
            return [shorter(inner, share) for inner in value]
        return value

    cut: dict[str, Any] = shorter(row(node), length)
    return cut


def _stub(node: Node, length: int) -> dict[str, Any]:
    tool = {"tool": node.tool.name} if node.tool is not None else {}
    named = {"node": node.node_id, "turn": node.turn_id, "type": node.type, **tool}
    return {**named, "left out": f"{length} characters; read_node shows them"}
