"""LangChain messages and LangGraph states, in the three shapes that the library writes.

`messages_to_dict` (type and data), `dumpd` (lc, id and kwargs) and `model_dump` (flat) say the
same. A state stands bare, under `values` (a snapshot) or under `channel_values` (a checkpoint);
of several snapshots of a thread the one with the most messages is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.records.report import Skipped
from bot.records.trajectory import Agent, Trajectory
from bot.sources.logs.json_files import Record, documents
from bot.sources.messages import thoughts
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

ROLES = {"human": "user", "ai": "assistant", "chat": "assistant"}


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every thread below a path, in the order of the file names."""
    for record in documents(path):
        if isinstance(record, Skipped):
            yield record
            continue
        threads = _threads(record)
        if not threads:
            yield Skipped(record.where, "no LangChain messages: neither a list nor `messages`")
        for name, messages in threads.items():
            yield _thread(name, messages, record)


def _threads(record: Record) -> dict[str, list[Any]]:
    """Messages by thread."""
    value = record.value
    several = isinstance(value, list) and all(_messages(item) is not None for item in value)
    found: dict[str, list[Any]] = {}
    for part, item in enumerate(value if several else [value], 1):
        messages = item if isinstance(item, list) else _messages(item)
        name = _name(item) or record.derived(part)
        if messages is not None and len(messages) >= len(found.get(name, ())):
            found[name] = messages
    return found


def _messages(item: Any) -> list[Any] | None:
    match item:
        case {"messages": list(messages)}:
            return messages
        case {"values": dict(state)} | {"channel_values": dict(state)} | {"state": dict(state)}:
            return _messages(state)
        case {"checkpoint": dict(checkpoint)}:
            return _messages(checkpoint)
        case _:
            return None


def _name(item: Any) -> str | None:
    match item:
        case {"thread_id": str(name)} | {"config": {"configurable": {"thread_id": str(name)}}}:
            return name or None
        case {"metadata": {"thread_id": str(name)}} | {"id": str(name)}:
            return name or None
        case _:
            return None


def _thread(name: str, messages: Sequence[Any], record: Record) -> Trajectory | Skipped:
    fields = [_fields(message) for message in messages]
    known = [f.get("response_metadata") for _, f in fields]
    models = [m.get("model_name") or m.get("model") for m in known if isinstance(m, dict)]
    model = next((m for m in models[::-1] if isinstance(m, str)), None)
    agent = Agent(model=model) if model else None
    try:
        metadata = record.metadata("langchain")
        return session(name, _steps(fields), agent=agent, metadata=metadata)
    except MessagesError as problem:
        return Skipped(record.where, str(problem))


def _fields(message: Any) -> tuple[str, dict[str, Any]]:
    """Role and fields of a message, whichever shape it has; an empty role for none."""
    match message:
        case {"lc": _, "id": [*_, str(kind)], "kwargs": dict(fields)}:
            return _role(kind), fields
        case {"type": str(kind), "data": dict(fields)}:
            return _role(kind), fields
        case {"type": str(kind)} | {"role": str(kind)}:
            return _role(kind), message
        case _:
            return "", {}


def _role(kind: str) -> str:
    """`AIMessageChunk`, `ai` and `assistant` are the same."""
    name = kind.removesuffix("Chunk").removesuffix("Message").lower()
    return ROLES.get(name, name)


def _steps(messages: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[Step]:
    for number, (role, fields) in enumerate(messages, 1):
        text = text_of(fields.get("content"))
        match role:
            case "":
                raise MessagesError(f"message {number} has no type")
            case "system" | "developer":
                yield Prompt(text)
            case "user":
                yield Said("user", text)
            case "assistant":
                yield from _assistant(fields, text)
            case "tool" | "function":
                failed = fields.get("status") == "error"
                content = answer_of(fields.get("content"))
                call_id, name = str(fields.get("tool_call_id")), str(fields.get("name") or "")
                yield Answered(call_id, content, failed or None, name)
            case _:
                pass


def _assistant(fields: dict[str, Any], text: str) -> Iterator[Step]:
    extra = fields.get("additional_kwargs")
    extra = extra if isinstance(extra, dict) else {}
    for thought in thoughts({"reasoning_content": extra.get("reasoning_content"), **fields}):
        yield Thought(thought)
    calls = list(_calls(fields, extra))
    for position, (call_id, name, asked) in enumerate(calls):
        yield Called(call_id, name, asked, None if position else text)
    for call in _objects(fields.get("invalid_tool_calls")):
        yield Called(str(call.get("id")), str(call.get("name") or ""), call.get("args"))
        yield Answered(str(call.get("id")), str(call.get("error") or "no valid call"), True)
    if not calls:
        yield Said("assistant", text)


def _calls(fields: dict[str, Any], extra: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Id, name and arguments of each call; older messages hold them as the provider sent them."""
    calls = _objects(fields.get("tool_calls"))
    for call in calls:
        yield str(call.get("id")), str(call.get("name") or ""), call.get("args")
    for call in () if calls else _objects(extra.get("tool_calls")):
        function = call.get("function")
        if isinstance(function, dict):
            asked = parsed(function.get("arguments"))
            yield str(call.get("id")), str(function.get("name") or ""), asked


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
