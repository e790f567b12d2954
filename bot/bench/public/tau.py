"""tau-bench's chat messages: as a trajectory, and each node's place among the messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from bot.bench.public.steps import Said
from bot.records.trajectory import Feedback, Trajectory
from bot.sources.messages import text_of, trajectory

STOP = "###STOP###"


class Chat(msgspec.Struct, frozen=True):
    """A conversation, and for each node the message (counted from 0) that it came from."""

    trajectory: Trajectory
    step_of: dict[str, int]


def chat(run_id: str, messages: Sequence[Mapping[str, Any]], *, failed: bool = True) -> Chat:
    """The messages as a trajectory; a failed run is marked as such, without a reason."""
    cleaned = [_without_stop(message) for message in messages]
    feedback = (Feedback("thumbs", False, source="the run's outcome"),) if failed else ()
    found = trajectory(run_id, cleaned, feedback=feedback)
    places = list(_places(cleaned))
    return Chat(found, {node.node_id: at for node, at in zip(found.nodes, places, strict=True)})


def message_of(message: Mapping[str, Any]) -> Said:
    """A message as the rules of thumb see it."""
    calls = " ".join(str(call.get("function")) for call in message.get("tool_calls") or ())
    tool = str(message.get("name") or "tool") if message["role"] == "tool" else ""
    return Said(str(message["role"]), f"{text_of(message.get('content'))} {calls}".strip(), tool)


def _places(messages: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """The message of each node in turn: what is said makes one node, each call one, and an
    answer of a tool joins the node of its call."""
    called: set[str] = set()
    for number, message in enumerate(messages):
        calls = message.get("tool_calls") or ()
        called |= {str(call.get("id")) for call in calls}
        said = bool(text_of(message.get("content")).strip())
        match message["role"]:
            case "system" | "developer":
                yield number
            case "user" if said:
                yield number
            case "assistant":
                yield from [number] * (len(calls) or int(said))
            case "tool" if str(message.get("tool_call_id")) not in called:
                yield number


def _without_stop(message: Mapping[str, Any]) -> Mapping[str, Any]:
    content = message.get("content")
    if isinstance(content, str) and message.get("role") == "user" and STOP in content:
        return {**message, "content": content.replace(STOP, "").strip()}
    return message
