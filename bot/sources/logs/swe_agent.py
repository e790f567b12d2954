"""SWE-agent trajectories (`.traj`) and those of mini-swe-agent (`.traj.json`).

An observation is the answer to the command before it, whatever role its message has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.records.report import Skipped
from bot.records.trajectory import Agent, Feedback, Trajectory
from bot.sources.logs.json_files import Record, documents
from bot.sources.messages import message_steps
from bot.sources.steps import (
    Answered,
    Called,
    MessagesError,
    Prompt,
    Said,
    Step,
    Thought,
    session,
    text_of,
)
from bot.utc import stamp

SUFFIXES = (".traj", ".traj.json")
SHELL = "bash"
FENCES = ("```mswea_bash_command\n", "```bash\n")


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every trajectory below a path, in the order of the file names."""
    for record in documents(path, SUFFIXES):
        yield record if isinstance(record, Skipped) else _run(record)


def _run(record: Record) -> Trajectory | Skipped:
    match record.value:
        case {"trajectory": list(taken), **rest}:
            steps = _full(taken, rest.get("history"))
        case {"messages": list(messages)}:
            steps = _mini(messages)
        case _:
            return Skipped(record.where, "no trajectory: neither `trajectory` nor `messages`")
    info = record.value.get("info")
    known = info if isinstance(info, dict) else {}
    status = known.get("exit_status")
    ended = (Feedback("label", status, source="code"),) if isinstance(status, str) else ()
    model = _model(known)
    try:
        return session(
            record.derived(),
            steps,
            feedback=ended,
            agent=Agent(model=model) if model else None,
            metadata=record.metadata("swe-agent"),
        )
    except MessagesError as problem:
        return Skipped(record.where, str(problem))


def _model(info: dict[str, Any]) -> str | None:
    match info:
        case {"config": {"model": {"model_name": str(name)}}}:
            return name
        case _:
            return None


def _full(taken: Sequence[Any], history: Any) -> Iterator[Step]:
    """SWE-agent: the task from the history, what was done from the trajectory."""
    for message in history if isinstance(history, list) else ():
        match message:
            case {"is_demo": True}:
                continue
            case {"role": "system", "content": content}:
                yield Prompt(text_of(content))
            case {"role": "user", "content": content}:
                yield Said("user", text_of(content))
                break
            case _:
                pass
    for number, step in enumerate(taken, 1):
        if not isinstance(step, dict):
            raise MessagesError(f"step {number} is no object")
        thought, action = _text(step, "thought"), _text(step, "action").strip()
        yield Thought(thought or ("" if action else _text(step, "response")))
        if action:
            yield Called(f"step-{number}", SHELL, {"command": action})
            yield Answered(f"step-{number}", _text(step, "observation"))


def _mini(messages: Sequence[Any]) -> Iterator[Step]:
    """mini-swe-agent: the first user message is the task, the later ones are observations."""
    asked = False
    pending: list[str] = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise MessagesError(f"message {number} has no role")
        role, text, at = message["role"], text_of(message.get("content")), _time(message)
        if role == "assistant" and not message.get("tool_calls"):
            commands, words = _commands(message, text)
            yield Thought(words, at)
            pending = [f"{number}-{place}" for place in range(len(commands))]
            for call_id, command in zip(pending, commands, strict=True):
                yield Called(call_id, SHELL, {"command": command}, at=at)
        elif role == "user" and asked:
            if pending:
                yield Answered(pending.pop(0), _inside(text), _failed(message, text), at=at)
        elif role == "tool":
            call_id = str(message.get("tool_call_id"))
            yield Answered(call_id, _inside(text), _failed(message, text), at=at)
        elif role != "exit":
            asked = asked or role == "user"
            yield from message_steps([message])


def _commands(message: dict[str, Any], text: str) -> tuple[list[str], str]:
    """The commands of a message, and its words without them."""
    fence = next((mark for mark in FENCES if mark in text), None)
    words, _, rest = text.partition(fence) if fence else (text, "", "")
    extra = message.get("extra")
    actions = extra.get("actions") if isinstance(extra, dict) else None
    if isinstance(actions, list):
        named = (action.get("command") for action in actions if isinstance(action, dict))
        return [command for command in named if isinstance(command, str)], words
    command = rest.partition("\n```")[0].strip()
    return ([command] if command else []), words


def _failed(message: dict[str, Any], text: str) -> bool | None:
    extra = message.get("extra")
    code = extra.get("returncode") if isinstance(extra, dict) else None
    if isinstance(code, int):
        return code != 0
    return not text.startswith("<returncode>0<") if text.startswith("<returncode>") else None


def _inside(observation: str) -> str:
    """What the command wrote, without the frame around it."""
    _, found, rest = observation.partition("<output>\n")
    return rest.rpartition("</output>")[0].removesuffix("\n") if found else observation


def _text(step: dict[str, Any], key: str) -> str:
    return text_of(step.get(key))


def _time(message: dict[str, Any]) -> str | None:
    extra = message.get("extra")
    at = extra.get("timestamp") if isinstance(extra, dict) else None
    if not isinstance(at, int | float) or isinstance(at, bool):
        return None
    try:
        return stamp(datetime.fromtimestamp(at, UTC))
    except (ValueError, OverflowError, OSError):
        return None
