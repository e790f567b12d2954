"""Chat-completions messages (system, user, assistant with tool calls, tool) as a trajectory."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.records.trajectory import (
    Agent,
    Feedback,
    Node,
    NodeType,
    ToolCall,
    ToolStatus,
    Trajectory,
    Turn,
)
from bot.sources.node_types import node_type

FAILED = re.compile(r"\s*(\w*error\b|exception\b|traceback \()", re.IGNORECASE)
TIMED_OUT = re.compile(r"\s*(\w*error:?\s*)?(time[d ]?-?\s?out|deadline exceeded)", re.IGNORECASE)


class MessagesError(Exception):
    """The messages are no conversation; the sentence says which and why."""


def trajectory(
    session_id: str,
    messages: Sequence[Any],
    *,
    feedback: tuple[Feedback, ...] = (),
    agent: Agent | None = None,
    metadata: dict[str, Any] | None = None,
) -> Trajectory:
    """The conversation as turns and nodes. Raises `MessagesError` where it holds no turn
    or a tool call that is none.

    A step serves the answer that follows it, or, where none follows, the message before it.
    """
    reading = _Reading()
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise MessagesError(f"message {number} has no role")
        reading.add(message)
    reading.settle()
    if not reading.turns:
        raise MessagesError("no message was said by a user or an assistant")
    return Trajectory(
        session_id,
        tuple(reading.turns),
        nodes=tuple(reading.nodes),
        feedback=feedback,
        agent=agent,
        metadata=metadata or {},
    )


class _Reading:
    """What has been read so far; `open` counts the nodes at the end that wait for their turn."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.nodes: list[Node] = []
        self.open = 0
        self.calls: dict[str, int] = {}

    def add(self, message: dict[str, Any]) -> None:
        role, text = message["role"], text_of(message.get("content"))
        if role in ("system", "developer"):
            self._node("system_prompt", output={"content": text})
        elif role == "user":
            self.settle()
            if text.strip():
                self._turn("user", text)
                self._node("user_query_processing", input={"raw_query": text})
                self.settle()
        elif role == "assistant":
            self._assistant(message, text)
        elif role == "tool":
            self._answer(message, text)

    def settle(self) -> None:
        """Waiting nodes belong to the last turn that was said."""
        turn_id = len(self.turns) or 1
        for index in range(len(self.nodes) - self.open, len(self.nodes)):
            self.nodes[index] = replace(self.nodes[index], turn_id=turn_id)
        self.open = 0

    def _assistant(self, message: dict[str, Any], text: str) -> None:
        calls = _calls(message)
        for position, call in enumerate(calls):
            function = call.get("function") or {}
            tool = ToolCall(str(function.get("name") or ""), parsed(function.get("arguments")))
            thought = text if text and position == 0 else None
            self._node(node_type(tool.name), reasoning=thought, tool=tool)
            self.calls[str(call.get("id"))] = len(self.nodes) - 1
        if text.strip() and not calls:
            self._turn("assistant", text)
            self._node("response_generation", output={"response": text})
            self.settle()

    def _answer(self, message: dict[str, Any], text: str) -> None:
        index = self.calls.get(str(message.get("tool_call_id")))
        if index is None:
            self._node("other", output=parsed(text))
            return
        node = self.nodes[index]
        status = _status(text)
        tool = node.tool or ToolCall()
        answered = replace(
            tool,
            name=tool.name or str(message.get("name") or ""),
            output=None if status != "ok" else _shaped(node.type, parsed(text)),
            status=status,
            error=text if status != "ok" else None,
        )
        self.nodes[index] = replace(node, tool=answered)

    def _turn(self, role: Any, text: str) -> None:
        self.turns.append(Turn(len(self.turns) + 1, role, text))

    def _node(self, kind: NodeType, **parts: Any) -> None:
        self.nodes.append(Node(f"node_{len(self.nodes) + 1}", 0, kind, **parts))
        self.open += 1


def _calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise MessagesError("`tool_calls` is no list of objects")
    if not all(isinstance(call.get("function") or {}, dict) for call in calls):
        raise MessagesError("the `function` of a tool call is no object")
    return calls


def text_of(content: Any) -> str:
    """A message's text: a string, or the text parts of a list (images and files are dropped)."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def parsed(text: Any) -> Any:
    """JSON objects and lists as such; anything else as the text that it is."""
    if not isinstance(text, str):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def _shaped(kind: NodeType, output: Any) -> Any:
    """Search results and documents in their canonical place."""
    if kind == "kb_search" and isinstance(output, list):
        return {"results": output}
    if kind in ("kb_read", "skill_lookup") and isinstance(output, str):
        return {"content": output}
    return output


def _status(text: str) -> ToolStatus:
    if TIMED_OUT.match(text):
        return "timeout"
    return "error" if FAILED.match(text) else "ok"
