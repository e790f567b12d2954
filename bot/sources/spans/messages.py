"""Chat messages out of any of the shapes that tracing libraries store them in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from bot.sources.spans.span import Event, Span
from bot.sources.spans.values import loaded
from bot.sources.spans.vocabulary import candidates, field, names

Speaker = Literal["user", "assistant", "system", "tool"]
SPEAKERS: Mapping[str, Speaker] = {
    "user": "user",
    "human": "user",
    "humanmessage": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "system": "system",
    "systemmessage": "system",
    "developer": "system",
    "tool": "tool",
    "toolmessage": "tool",
    "function": "tool",
}
# Where a list of messages may stand in an object, and what wraps a single one.
HOLDERS = ("messages", "input_messages", "choices", "generations", "candidates", "contents")
WRAPPERS = (
    *("message", "content", "kwargs", "data", "delta"),
    *("inputs", "outputs", "input", "output"),
)
THOUGHTS = frozenset({"reasoning", "thinking", "thought", "reasoning_content"})
CALLS = frozenset({"tool_call", "tool_use", "function_call"})
RESULTS = frozenset({"tool_call_response", "tool_result", "function_response"})
DEEPEST = 12


class Call(msgspec.Struct, frozen=True):
    """A tool that the model asked for; `arguments` is any JSON."""

    call_id: str
    name: str
    arguments: Any = None


class Result(msgspec.Struct, frozen=True):
    """What a tool answered to a call."""

    call_id: str
    output: Any = None


class Message(msgspec.Struct, frozen=True):
    """One message: its text, the thinking beside it, and the calls or results in it."""

    speaker: Speaker
    text: str = ""
    thought: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


def input_messages(span: Span) -> tuple[Message, ...]:
    """What the model or the agent was given, oldest first."""
    return _first(candidates(span, "input_messages")) or _of_events(span, "input")


def output_messages(span: Span) -> tuple[Message, ...]:
    """What came back."""
    return _first(candidates(span, "output_messages")) or _of_events(span, "output")


def system_text(span: Span) -> str:
    """The system prompt that the call was made with."""
    told = field(span, "system")
    if told is not None:
        return _parts(told)[0]
    return "\n".join(m.text for m in input_messages(span) if m.speaker == "system" and m.text)


def messages(value: Any) -> tuple[Message, ...]:
    """Every message in a value, in order; none where it holds no conversation."""
    return tuple(_found(value, "", 0))


def _first(values: Iterable[Any]) -> tuple[Message, ...]:
    return next((found for value in values if (found := messages(value))), ())


def _of_events(span: Span, way: str) -> tuple[Message, ...]:
    details = [e for e in span.events if e.name in names("events", "details")]
    for event in details:
        given = event.attributes.get(f"gen_ai.{way}.messages")
        if found := messages(loaded(given)):
            return found
    events = [e for e in span.events if e.name in names("events", way)]
    return _joined(events) if way == "output" else tuple(m for e in events for m in _of_event(e))


def _of_event(event: Event) -> Iterator[Message]:
    body = {key.removeprefix("gen_ai.event."): loaded(v) for key, v in event.attributes.items()}
    if "role" not in body and "message" not in body:
        body["role"] = event.name.split(".")[1]
    yield from _found(body, "assistant" if event.name.endswith("choice") else "", 0)


def _joined(events: list[Event]) -> tuple[Message, ...]:
    """Choices of one index are the chunks of one streamed message."""
    streams: dict[Any, list[Message]] = {}
    for event in events:
        streams.setdefault(event.attributes.get("index", 0), []).extend(_of_event(event))
    return tuple(
        Message(
            "assistant",
            "".join(m.text for m in chunks),
            "".join(m.thought for m in chunks),
            tuple(call for m in chunks for call in m.calls),
        )
        for chunks in streams.values()
    )


def _found(value: Any, speaker: str, depth: int) -> Iterator[Message]:
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _found(item, speaker, depth + 1)
    elif isinstance(value, dict):
        own = _speaker(value)
        who = own or speaker
        holder = next((key for key in HOLDERS if isinstance(value.get(key), list)), None)
        if holder is not None and not own:
            answered = holder in ("choices", "generations", "candidates")
            yield from _found(value[holder], "assistant" if answered else "", depth + 1)
        elif wrapper := next((k for k in WRAPPERS if isinstance(value.get(k), dict)), None):
            yield from _found(value[wrapper], who, depth + 1)
        elif who in SPEAKERS:
            yield from _message(value, SPEAKERS[who])


def _speaker(value: dict[str, Any]) -> str:
    """The role that a message names itself; LangChain names a class instead."""
    kinds = value.get("id")
    named = kinds[-1] if isinstance(kinds, list) and kinds else value.get("role", value.get("type"))
    word = str(named).lower()
    return word if word in SPEAKERS else ""


def _message(value: dict[str, Any], speaker: Speaker) -> Iterator[Message]:
    content = value.get("contents", value.get("parts", value.get("content", value.get("text"))))
    if not content and value.get("content"):
        content = value["content"]
    text, thought, calls, results = _parts(content)
    told = next((value[k] for k in THOUGHTS if isinstance(value.get(k), str)), "")
    listed = value.get("tool_calls")
    more = [c for c in listed if isinstance(c, dict)] if isinstance(listed, list) else []
    answered = value.get("tool_call_id")
    if speaker == "tool" and not results:
        results = [Result(str(answered or value.get("name") or ""), loaded(text))]
    elif speaker == "user" and results and not text.strip():
        speaker = "tool"
    yield Message(
        speaker,
        "" if speaker == "tool" else text,
        thought or told,
        (*calls, *map(_call, more)),
        tuple(results),
    )


def _parts(content: Any) -> tuple[str, str, list[Call], list[Result]]:
    """Text, thinking, calls and results of a content; media are passed over."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[Call] = []
    results: list[Result] = []
    for item in content if isinstance(content, list) else [content]:
        part = item.get("message_content", item) if isinstance(item, dict) else item
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = part.get("type")
            text = _part_text(part)
            if kind in CALLS:
                calls.append(_call(part))
            elif kind in RESULTS:
                results.append(_result(part))
            elif kind in THOUGHTS or part.get("thought") is True:
                thoughts.append(text)
            elif text:
                texts.append(text)
    return "\n".join(texts), "\n".join(filter(None, thoughts)), calls, results


def _part_text(part: dict[str, Any]) -> str:
    for key in ("text", "content", "thinking", "reasoning"):
        if isinstance(part.get(key), str):
            return str(part[key])
    return ""


def _call(part: dict[str, Any]) -> Call:
    inner = part.get("tool_call", part)
    inner = inner if isinstance(inner, dict) else part
    function = inner.get("function")
    described = function if isinstance(function, dict) else inner
    given = next((described[k] for k in ("arguments", "args", "input") if k in described), None)
    call_id = inner.get("id") or inner.get("call_id") or ""
    return Call(str(call_id), str(described.get("name") or ""), loaded(given))


def _result(part: dict[str, Any]) -> Result:
    given = next((part[k] for k in ("response", "result", "content", "output") if k in part), None)
    call_id = part.get("id") or part.get("tool_use_id") or part.get("call_id") or ""
    if isinstance(given, list):
        given = _parts(given)[0] or given
    return Result(str(call_id), loaded(given))
