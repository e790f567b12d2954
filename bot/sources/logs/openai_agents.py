"""OpenAI Agents sessions and Responses: lists of items (messages, calls, their outputs).

A file holds the items of one session; so does each line of a file of lines. A list, `items`,
or `input` with `output` (a request with its response), of which several may make one session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.records.report import Skipped
from bot.records.trajectory import Agent, Trajectory
from bot.sources.logs.json_files import Record, documents
from bot.sources.logs.responses import Chain, chains, conversation
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

NAMES = ("conversation_id", "session_id", "group_id", "id")


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every session below a path, in the order of the file names; then those that responses make,
    in the order of their last ones."""
    responses: list[Record] = []
    for record in documents(path):
        if isinstance(record, Skipped):
            yield record
        elif problem := _problem(record.value):
            yield Skipped(record.where, problem)
        elif isinstance(record.value, dict) and "items" not in record.value:
            responses.append(record)
        else:
            yield _session(Chain((record,)))
    yield from map(_session, chains(responses))


def _session(chain: Chain) -> Trajectory | Skipped:
    whole = chain.whole
    known = whole.value if isinstance(whole.value, dict) else {}
    model = known.get("model")
    name = _name(whole) or whole.derived()
    try:
        return session(
            f"{name}-{chain.fork}" if chain.fork else name,
            _steps(chain.records),
            agent=Agent(model=model) if isinstance(model, str) else None,
            metadata=whole.metadata("openai-agents"),
        )
    except MessagesError as problem:
        return Skipped(whole.where, str(problem))


def _problem(value: Any) -> str:
    """Why a value is no session and no part of one, or nothing."""
    items = _items(value)
    if items is None:
        return "no session: neither a list of items nor `items` nor `output`"
    odd = next((n for n, item in enumerate(items, 1) if not isinstance(item, dict)), None)
    return f"item {odd} is no object" if odd else ""


def _items(value: Any) -> list[Any] | None:
    match value:
        case list():
            return value
        case {"items": list(items)}:
            return items
        case {"output": list(output)}:
            asked = value.get("input")
            given = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
            return [*(given if isinstance(given, list) else ()), *output]
        case _:
            return None


def _name(record: Record) -> str | None:
    known = record.value if isinstance(record.value, dict) else {}
    told = conversation(record) if known else ""
    return told or next((str(known[n]) for n in NAMES if isinstance(known.get(n), str)), None)


def _steps(records: Sequence[Record]) -> Iterator[Step]:
    """What happened in one response after the other; instructions are told when they change."""
    prompt = None
    for place, record in enumerate(records, 1):
        known = record.value if isinstance(record.value, dict) else {}
        asked = known.get("instructions")
        if isinstance(asked, str) and asked != prompt:
            yield Prompt(asked)
            prompt = asked
        for number, item in enumerate(_items(record.value) or (), 1):
            yield from _item(item, f"item-{place}.{number}")


def _item(item: dict[str, Any], place: str) -> Iterator[Step]:
    kind = str(item.get("type") or "message")
    call_id = str(item.get("call_id") or item.get("id") or place)
    if kind == "message":
        yield from _message(item)
    elif kind == "reasoning":
        yield Thought(text_of(item.get("content")) or text_of(item.get("summary")))
    elif kind.endswith("_call_output"):
        yield Answered(call_id, answer_of(item.get("output")))
    elif kind in ("function_call", "custom_tool_call"):
        yield Called(call_id, str(item.get("name") or ""), parsed(_asked(item)))
    elif kind.endswith("_call"):
        yield from _hosted(item, kind, call_id)


def _message(item: dict[str, Any]) -> Iterator[Step]:
    text = text_of(item.get("content")) or _refusal(item.get("content"))
    match item.get("role"):
        case "system" | "developer":
            yield Prompt(text)
        case "user":
            yield Said("user", text)
        case "assistant":
            yield Said("assistant", text)
        case _:
            pass


def _refusal(content: Any) -> str:
    parts = content if isinstance(content, list) else []
    texts = (part.get("refusal") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _asked(item: dict[str, Any]) -> Any:
    return item.get("arguments", item.get("input"))


def _hosted(item: dict[str, Any], kind: str, call_id: str) -> Iterator[Step]:
    """A tool that the provider ran itself: the call holds its own answer, if any is told."""
    name = str(item.get("name") or kind.removesuffix("_call"))
    asked = _asked(item) or item.get("action") or item.get("code")
    if isinstance(item.get("queries"), list):
        asked = {"query": " ".join(str(query) for query in item["queries"])}
    yield Called(call_id, name, parsed(asked))
    if item.get("error"):
        yield Answered(call_id, item["error"], True)
        return
    for key in ("output", "outputs", "results"):
        if item.get(key) is not None:
            yield Answered(call_id, answer_of(item[key]) if key == "output" else item[key])
            return
