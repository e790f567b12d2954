"""A session as the program may know it: ids that can stand anywhere, no names of the list."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from bot.defang import visible
from bot.identity.ids import short_hash
from bot.records.trajectory import Feedback, Node, ToolCall, Trajectory, Turn
from bot.redact import Privacy, redact_id, without_names

Clean = Callable[[str], str]
# An id is quoted as often as its session; what a source makes longer is no id to read.
LONGEST_ID = 200
COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")


def guarded(trajectory: Trajectory, privacy: Privacy) -> Trajectory:
    """The session with safe ids and stamps, and without the names of the list.

    All else stays as it was said: the diagnosis needs it, and every way out redacts.
    """
    safe = partial(safe_id, privacy=privacy)
    agent = trajectory.agent
    known = replace(
        trajectory,
        session_id=safe(trajectory.session_id),
        nodes=tuple(replace(node, node_id=safe(node.node_id)) for node in trajectory.nodes),
        started_at=_maybe(trajectory.started_at, safe),
        agent=replace(agent, context_commit=_commit(agent.context_commit)) if agent else None,
    )
    return _unnamed(known, partial(without_names, names=privacy.names)) if privacy.names else known


def safe_id(text: str, privacy: Privacy) -> str:
    """The id as it is, where everybody may see it; else what of it may be seen, and a hash that
    keeps it apart from others. The same for the same id, and itself for a safe one."""
    # Redacted first: what is hidden inside a secret must not keep it from being seen.
    shown = " ".join(visible(redact_id(text, privacy)).split())
    if shown == text and len(text) <= LONGEST_ID:
        return text
    hashed = f"~{short_hash(text)}"
    return shown[: LONGEST_ID - len(hashed)] + hashed


def _commit(text: str | None) -> str | None:
    """Nothing but a commit can be looked up, so nothing else is kept."""
    return text if text and COMMIT.fullmatch(text) else None


def _maybe(text: str | None, clean: Clean) -> str | None:
    return None if text is None else clean(text)


def _unnamed(trajectory: Trajectory, clean: Clean) -> Trajectory:
    """`metadata` stays: it tells people apart, and is shown nowhere."""
    return replace(
        trajectory,
        turns=tuple(_turn(turn, clean) for turn in trajectory.turns),
        nodes=tuple(_node(node, clean) for node in trajectory.nodes),
        feedback=tuple(_feedback(one, clean) for one in trajectory.feedback),
    )


def _turn(turn: Turn, clean: Clean) -> Turn:
    return replace(turn, content=clean(turn.content))


def _node(node: Node, clean: Clean) -> Node:
    return replace(
        node,
        reasoning=_maybe(node.reasoning, clean),
        input=_value(node.input, clean),
        output=_value(node.output, clean),
        tool=_tool(node.tool, clean) if node.tool else None,
    )


def _tool(tool: ToolCall, clean: Clean) -> ToolCall:
    return replace(
        tool,
        input=_value(tool.input, clean),
        output=_value(tool.output, clean),
        error=_maybe(tool.error, clean),
    )


def _feedback(one: Feedback, clean: Clean) -> Feedback:
    return replace(one, value=_value(one.value, clean), comment=_maybe(one.comment, clean))


def _value(value: Any, clean: Clean) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _value(inner, clean) for key, inner in value.items()}
    if isinstance(value, list):
        return [_value(inner, clean) for inner in value]
    return value
