"""One session's execution record, in the canonical form `trace-bot/trajectory/v1`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

SCHEMA = "trace-bot/trajectory/v1"

Role = Literal["user", "assistant", "system"]
NodeType = Literal[
    "user_query_processing",
    "system_prompt",
    "skill_lookup",
    "kb_search",
    "kb_read",
    "sql_query",
    "tool_call",
    "reasoning",
    "response_generation",
    "other",
]
FeedbackType = Literal["thumbs", "score", "label", "comment"]
ToolStatus = Literal["ok", "error", "timeout"]

NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was said: one message of the conversation."""

    turn_id: Annotated[int, msgspec.Meta(ge=1)]
    role: Role
    content: str
    timestamp: str | None = None


class ToolCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call of a tool and its answer; `output` and `input` are any JSON."""

    name: str = ""
    input: Any = None
    output: Any = None
    status: ToolStatus = "ok"
    error: str | None = None


class Node(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of the execution graph (TRACE, section on the execution trace)."""

    node_id: NonEmpty
    turn_id: int
    type: NodeType
    reasoning: str | None = None
    input: Any = None
    output: Any = None
    tool: ToolCall | None = None
    started_at: str | None = None
    duration_ms: float | None = None


class Feedback(msgspec.Struct, frozen=True, omit_defaults=True):
    """An explicit judgement: thumbs (`false` is down), a score, a label, a comment.

    `name` says what was judged, where several things are.
    """

    type: FeedbackType
    value: bool | int | float | str | None = None
    turn_id: int | None = None
    comment: str | None = None
    source: str | None = None
    timestamp: str | None = None
    name: str | None = None


class Agent(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who answered, and which commit of the context repository it ran with."""

    name: str | None = None
    version: str | None = None
    model: str | None = None
    context_commit: str | None = None


class Trajectory(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole session: its turns, its nodes in time order, and the feedback on it."""

    session_id: NonEmpty
    turns: Annotated[tuple[Turn, ...], msgspec.Meta(min_length=1)]
    schema: str = SCHEMA
    nodes: tuple[Node, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    agent: Agent | None = None
    started_at: str | None = None
    ended_at: str | None = None
    metadata: dict[str, Any] = {}

    def node(self, node_id: str) -> Node | None:
        """The node of that id, or None."""
        return next((node for node in self.nodes if node.node_id == node_id), None)

    @property
    def principal(self) -> str:
        """Who spoke: `metadata.user_id` where the source knows it, else the session itself."""
        user = self.metadata.get("user_id")
        return user if isinstance(user, str) and user else self.session_id
