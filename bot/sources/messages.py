"""Chat-completions messages (system, user, assistant with tool calls, tool) as a trajectory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.records.trajectory import Agent, Feedback, Trajectory
from bot.sources.steps import (
    Answered,
    Called,
    MessagesError,
    Prompt,
    Said,
    Step,
    Thought,
    answer_of,
    parsed,
    session,
    text_of,
)

__all__ = ["MessagesError", "message_steps", "text_of", "trajectory"]

THINKING = ("thinking", "reasoning", "reasoning_content")


def trajectory(
    session_id: str,
    messages: Sequence[Any],
    *,
    feedback: tuple[Feedback, ...] = (),
    agent: Agent | None = None,
    metadata: dict[str, Any] | None = None,
) -> Trajectory:
    """The conversation as turns and nodes. Raises `MessagesError` where it holds no turn
    or a tool call that is none."""
    return session(
        session_id, message_steps(messages), feedback=feedback, agent=agent, metadata=metadata
    )


def message_steps(messages: Sequence[Any]) -> Iterator[Step]:
    """The messages as steps, in order. Raises `MessagesError` where one has no role."""
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise MessagesError(f"message {number} has no role")
        yield from _steps(message)


def _steps(message: dict[str, Any]) -> Iterator[Step]:
    role, text, at = message["role"], text_of(message.get("content")), _time(message)
    if role in ("system", "developer"):
        yield Prompt(text, at)
    elif role == "user":
        yield Said("user", text, at)
    elif role == "assistant":
        yield from (Thought(thought, at) for thought in thoughts(message))
        calls = _calls(message)
        for position, (call_id, name, asked) in enumerate(calls):
            yield Called(call_id, name, parsed(asked), None if position else text, at)
        if not calls:
            yield Said("assistant", text, at)
    elif role == "tool":
        yield _answer(message, at)


def _answer(message: dict[str, Any], at: str | None) -> Answered:
    """A tool message; `error` is how Inspect AI says that it failed."""
    name = str(message.get("name") or message.get("function") or "")
    call_id, error = str(message.get("tool_call_id")), message.get("error")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return Answered(call_id, error["message"], True, name, at)
    return Answered(call_id, answer_of(message.get("content")), None, name, at)


def thoughts(message: dict[str, Any]) -> Iterator[str]:
    """Thinking that stands beside the text, or among its parts."""
    beside = message.get("reasoning_content")
    if isinstance(beside, str):
        yield beside
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") in THINKING:
            yield from (part[key] for key in THINKING if isinstance(part.get(key), str))


def _calls(message: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Id, name and arguments of each call; `function` is an object, or a name beside them."""
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise MessagesError("`tool_calls` is no list of objects")
    found = []
    for call in calls:
        function = call.get("function") or {}
        if isinstance(function, str) and "arguments" in call:
            function = {"name": function, "arguments": call["arguments"]}
        if not isinstance(function, dict):
            raise MessagesError("the `function` of a tool call is no object")
        name = str(function.get("name") or "")
        found.append((str(call.get("id")), name, function.get("arguments")))
    return found


def _time(message: dict[str, Any]) -> str | None:
    at = message.get("timestamp") or message.get("created_at")
    return at if isinstance(at, str) else None
