"""TOOL_EXECUTION_ERROR: a call failed and no later call of the same tool succeeded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.records.finding import Signal
from bot.records.trajectory import Node
from bot.signals.place import tongues
from bot.signals.said import said
from bot.signals.scene import Scene


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every failed call that was not made good.

    It is strong where the agent tried again in vain, and where the answer after it made the user
    unhappy or left them with nothing.
    """
    wanted = set(scene.segment.turn_ids)
    mourned = {judged.place.answer.turn_id for judged in scene.unhappy()} | _stranded(scene)
    nodes = scene.trajectory.nodes
    tried = Counter((n.turn_id, n.tool.name) for n in nodes if n.tool and n.tool.status != "ok")
    for position, node in enumerate(nodes):
        tool = node.tool
        if node.turn_id not in wanted or tool is None or tool.status == "ok" or not tool.error:
            continue
        if not _made_good(tool.name, nodes[position + 1 :]):
            strong = node.turn_id in mourned or tried[node.turn_id, tool.name] > 1
            confidence = 0.8 if strong else 0.5
            yield Signal(
                "TOOL_EXECUTION_ERROR", tool.error, node.turn_id, confidence, node_id=node.node_id
            )


def _made_good(name: str, later: tuple[Node, ...]) -> bool:
    return any(n.tool and n.tool.name == name and n.tool.status == "ok" for n in later)


def _stranded(scene: Scene) -> set[int]:
    """The last turn, where it is an answer without content."""
    last = scene.trajectory.turns[-1]
    if last.role != "assistant" or not said(last, tongues(scene.trajectory)).count("failure"):
        return set()
    return {last.turn_id}
