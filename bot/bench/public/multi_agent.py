"""Logs of several agents that talk to one another, as one trajectory each."""

from __future__ import annotations

from collections.abc import Sequence

from bot.bench.public.steps import Said
from bot.records.trajectory import Feedback, Node, NodeType, ToolCall, Trajectory, Turn

TERMINALS = ("terminal", "computer", "filesurfer", "websurfer")


def trajectory(run_id: str, question: str, said: Sequence[Said]) -> Trajectory:
    """The question as the user's turn, every message as a node, the last one as the answer.

    Node `step_7` is message 7, counted from 0. That the run failed is all that is told of it.
    """
    last = said[-1].text if said else ""
    turns = (Turn(1, "user", question), Turn(2, "assistant", last or "(no answer)"))
    nodes = tuple(_node(number, one, number == len(said) - 1) for number, one in enumerate(said))
    failed = Feedback("thumbs", False, source="the run's outcome")
    return Trajectory(run_id, turns, nodes=nodes, feedback=(failed,))


def _node(number: int, said: Said, is_last: bool) -> Node:
    kind: NodeType = "response_generation" if is_last else "reasoning"
    name = said.speaker.casefold().replace("_", " ")
    if any(word in name.replace(" ", "") for word in TERMINALS) and "->" not in name:
        tool = ToolCall(said.speaker, None, {"content": said.text})
        return Node(f"step_{number}", 2, "tool_call", tool=tool)
    if name in ("human", "user") and number == 0:
        return Node(f"step_{number}", 1, "user_query_processing", input={"raw_query": said.text})
    if is_last:
        return Node(f"step_{number}", 2, kind, output={"response": said.text})
    return Node(f"step_{number}", 2, kind, reasoning=f"{said.speaker}: {said.text}")


def steps(said: Sequence[Said]) -> dict[str, int]:
    """Node to message."""
    return {f"step_{number}": number for number in range(len(said))}
