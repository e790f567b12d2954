"""TOOL_EXECUTION_ERROR: a call failed and no later call of the same tool succeeded."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Segment, Signal
from bot.records.trajectory import Trajectory


def find(trajectory: Trajectory, segment: Segment) -> Iterator[Signal]:
    """One signal for every failed call that was not made good."""
    wanted = set(segment.turn_ids)
    for position, node in enumerate(trajectory.nodes):
        tool = node.tool
        if node.turn_id not in wanted or tool is None or tool.status == "ok" or not tool.error:
            continue
        later = trajectory.nodes[position + 1 :]
        if not any(n.tool and n.tool.name == tool.name and n.tool.status == "ok" for n in later):
            yield Signal(
                "TOOL_EXECUTION_ERROR", tool.error, node.turn_id, 0.5, node_id=node.node_id
            )
