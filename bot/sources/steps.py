"""The steps of a session as a log tells them, and the trajectory that they make.

Every reader of a log says what happened in these few words; turns, nodes and their numbers are
made here alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec
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

FAILED = re.compile(r"\s*(an\s+)?(\w*error\b|exception\b|traceback \()", re.IGNORECASE)
TIMED_OUT = re.compile(r"\s*(\w*error:?\s*)?(time[d ]?-?\s?out|deadline exceeded)", re.IGNORECASE)


class MessagesError(Exception):
    """The messages are no conversation; the sentence says which and why."""


class Prompt(msgspec.Struct, frozen=True):
    """The system prompt in force."""

    text: str
    at: str | None = None


class Said(msgspec.Struct, frozen=True):
    """What the user or the assistant said; blank text is no turn. Times are RFC 3339."""

    role: Literal["user", "assistant"]
    text: str
    at: str | None = None


class Thought(msgspec.Struct, frozen=True):
    """Thinking that the user did not see."""

    text: str
    at: str | None = None


class Called(msgspec.Struct, frozen=True):
    """A tool was called; `about` is what the agent said of it in the same breath."""

    call_id: str
    name: str
    input: Any = None
    about: str | None = None
    at: str | None = None


class Answered(msgspec.Struct, frozen=True):
    """A tool answered. `failed` None is told from how the text begins; a second answer to the
    same call takes the place of the first."""

    call_id: str
    output: Any
    failed: bool | None = None
    name: str = ""
    at: str | None = None


class Marked(msgspec.Struct, frozen=True):
    """What the user did without words, as feedback on what was said last."""

    label: str
    at: str | None = None


Step = Prompt | Said | Thought | Called | Answered | Marked


def session(
    session_id: str,
    steps: Iterable[Step],
    *,
    feedback: tuple[Feedback, ...] = (),
    agent: Agent | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Trajectory:
    """The steps as turns and nodes. Raises `MessagesError` where nobody said anything.

    A step serves the answer that follows it, or, where none follows, the message before it.
    """
    reading = _Reading()
    times = []
    for step in steps:
        reading.add(step)
        times.append(step.at)
    reading.settle()
    if not reading.turns:
        raise MessagesError("no message was said by a user or an assistant")
    known = [at for at in times if at]
    return Trajectory(
        session_id,
        tuple(reading.turns),
        nodes=tuple(reading.nodes),
        feedback=(*feedback, *reading.marks),
        agent=agent,
        started_at=known[0] if known else None,
        ended_at=known[-1] if known else None,
        metadata=dict(metadata or {}),
    )


class _Reading:
    """What has been read so far; `open` counts the nodes at the end that wait for their turn."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.nodes: list[Node] = []
        self.marks: list[Feedback] = []
        self.open = 0
        self.calls: dict[str, int] = {}

    def add(self, step: Step) -> None:
        match step:
            case Prompt(text, at):
                self._node("system_prompt", at, output={"content": text})
            case Said(text=text) | Thought(text=text) if not text.strip():
                pass
            case Said("user", text, at):
                self.settle()
                self._turn("user", text, at)
                self._node("user_query_processing", at, input={"raw_query": text})
                self.settle()
            case Said(_, text, at):
                self._turn("assistant", text, at)
                self._node("response_generation", at, output={"response": text})
                self.settle()
            case Thought(text, at):
                self._node("reasoning", at, reasoning=text)
            case Called(call_id, name, asked, about, at):
                tool = ToolCall(name, asked)
                self._node(node_type(name, asked), at, reasoning=about or None, tool=tool)
                self.calls[call_id] = len(self.nodes) - 1
            case Answered():
                self._answer(step)
            case Marked(label, at):
                turn_id = len(self.turns) or None
                self.marks.append(Feedback("label", label, turn_id, None, "user", at))

    def settle(self) -> None:
        """Waiting nodes belong to the last turn that was said."""
        turn_id = len(self.turns) or 1
        for index in range(len(self.nodes) - self.open, len(self.nodes)):
            self.nodes[index] = replace(self.nodes[index], turn_id=turn_id)
        self.open = 0

    def _answer(self, answer: Answered) -> None:
        index = self.calls.get(answer.call_id)
        if index is None:
            self._node("other", answer.at, output=parsed(answer.output))
            return
        node = self.nodes[index]
        tool = node.tool or ToolCall()
        text = answer.output if isinstance(answer.output, str) else ""
        said = parsed(answer.output)
        status = _status(text, answer.failed if answer.failed is not None else _refused(said))
        ok = status == "ok"
        tool = replace(
            tool,
            name=tool.name or answer.name,
            output=_shaped(node.type, said) if ok else None,
            status=status,
            error=None if ok else text or _json(answer.output),
        )
        took = _milliseconds(node.started_at, answer.at)
        self.nodes[index] = replace(node, tool=tool, duration_ms=took)

    def _turn(self, role: Literal["user", "assistant"], text: str, at: str | None) -> None:
        self.turns.append(Turn(len(self.turns) + 1, role, text, at))

    def _node(self, kind: NodeType, at: str | None, **parts: Any) -> None:
        self.nodes.append(Node(f"node_{len(self.nodes) + 1}", 0, kind, started_at=at, **parts))
        self.open += 1


def parsed(text: Any) -> Any:
    """JSON objects and lists as such; anything else as the text that it is."""
    if not isinstance(text, str):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def text_of(content: Any) -> str:
    """A message's text: a string, or the text parts of a list (images and files are dropped)."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def answer_of(content: Any) -> Any:
    """A tool's answer: the text of a list of content parts, else the value as it is."""
    parts = content if isinstance(content, list) else []
    typed = all(isinstance(p, str) or (isinstance(p, dict) and "type" in p) for p in parts)
    return text_of(parts) if parts and typed else content


def _shaped(kind: NodeType, output: Any) -> Any:
    """Search results and documents in their canonical place."""
    if kind == "kb_search" and isinstance(output, list):
        return {"results": output}
    if kind in ("kb_read", "skill_lookup") and isinstance(output, str):
        return {"content": output}
    return output


def _status(text: str, failed: bool | None) -> ToolStatus:
    if failed is False:
        return "ok"
    if TIMED_OUT.match(text):
        return "timeout"
    return "error" if failed or FAILED.match(text) else "ok"


def _refused(said: Any) -> bool | None:
    """True where an answer is an object that says of itself that it is an error; None otherwise."""
    if not isinstance(said, dict):
        return None
    told = said.get("error") or said.get("isError") or said.get("is_error")
    return True if told else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _milliseconds(start: str | None, end: str | None) -> float | None:
    """How long it took, where both times can be read and compare."""
    try:
        begun, done = (datetime.fromisoformat(at or "") for at in (start, end))
        took = (done - begun).total_seconds() * 1000
    except (ValueError, TypeError, OverflowError):
        return None
    return took if took >= 0 else None
