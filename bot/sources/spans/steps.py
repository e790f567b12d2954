"""What one trace did, step by step: tools, searches and thinking, in the order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bot.records.trajectory import NodeType, ToolCall, ToolStatus
from bot.sources.node_types import node_type
from bot.sources.spans.messages import Call, Message, input_messages, output_messages
from bot.sources.spans.results import documents, shaped, unwrapped
from bot.sources.spans.span import Span
from bot.sources.spans.values import loaded
from bot.sources.spans.vocabulary import Role, field, names, role, text_field, told_type
from bot.sources.steps import FAILED, TIMED_OUT

# A tool that was handed one bare text: under which name the text belongs.
BARE = {"kb_search": "query", "sql_query": "query", "kb_read": "path", "skill_lookup": "path"}


class Step(msgspec.Struct, frozen=True):
    """A node in the making, with the span it was read from; times are nanoseconds since 1970."""

    type: NodeType
    span_id: str
    start: int
    end: int | None = None
    reasoning: str | None = None
    tool: ToolCall | None = None


def steps(spans: Sequence[Span]) -> list[Step]:
    """The steps of a trace. Spans come in the order of time, wrappers give none."""
    kinds = {span.span_id: role(span) for span in spans}
    covered = _covered_tools(spans, kinds)
    found: list[Step] = []
    for span in spans:
        kind = kinds[span.span_id]
        if kind == "retriever":
            found.append(_search(span))
        elif kind == "tool" and span.span_id not in covered:
            found.append(_tool(span))
        elif kind == "llm" and (thought := _thought(span)):
            found.append(Step("reasoning", span.span_id, span.start or 0, span.end, thought))
    found += _calls_without_spans(spans, kinds)
    return _once(sorted(found, key=lambda step: step.start))


def _covered_tools(spans: Sequence[Span], kinds: dict[str, Role]) -> set[str]:
    """Search tools whose retriever is traced too: that one knows the documents' paths."""
    inner = {span.parent_id for span in spans if kinds[span.span_id] == "retriever"}
    return {
        span.span_id
        for span in spans
        if span.span_id in inner
        and kinds[span.span_id] == "tool"
        and node_type(_name(span)) == "kb_search"
    }


def _name(span: Span) -> str:
    return text_field(span, "tool_name") or span.name.removeprefix("execute_tool ").strip()


def _tool(span: Span) -> Step:
    name = _name(span)
    given, output = field(span, "tool_input"), unwrapped(field(span, "tool_output"))
    kind = told_type(span) or node_type(name, given)
    asked, path = _named(kind, given), text_field(span, "read_path")
    if path:
        asked = {**(asked if isinstance(asked, dict) else {}), "path": path}
    tool = _answered(ToolCall(name, asked), kind, output.value)
    error = error_of(span) or output.error
    if error:
        status: ToolStatus = "timeout" if TIMED_OUT.match(error) else "error"
        tool = msgspec.structs.replace(tool, output=None, status=status, error=error)
    return Step(kind, span.span_id, span.start or 0, span.end, tool=tool)


def _search(span: Span) -> Step:
    asked = field(span, "query")
    error = error_of(span)
    tool = ToolCall(
        _name(span),
        _named("kb_search", asked),
        {"results": documents(field(span, "documents"))} if not error else None,
        ("timeout" if TIMED_OUT.match(error) else "error") if error else "ok",
        error,
    )
    return Step("kb_search", span.span_id, span.start or 0, span.end, tool=tool)


def _answered(tool: ToolCall, kind: NodeType, output: Any) -> ToolCall:
    """The call with its output; a text that begins like an error is one."""
    if isinstance(output, str) and (TIMED_OUT.match(output) or FAILED.match(output)):
        status: ToolStatus = "timeout" if TIMED_OUT.match(output) else "error"
        return msgspec.structs.replace(tool, status=status, error=output)
    return msgspec.structs.replace(tool, output=shaped(kind, output))


def _named(kind: NodeType, given: Any) -> Any:
    """The arguments by name; LangChain hides them under `input_str`, or a lone text anywhere."""
    if isinstance(given, dict) and "input_str" in given:
        named = given.get("inputs")
        given = named if isinstance(named, dict) and named else loaded(given["input_str"])
    if isinstance(given, dict) and len(given) == 1:
        key, value = next(iter(given.items()))
        if key in ("input", "__arg1"):
            given = loaded(value)
    return {BARE[kind]: given} if isinstance(given, str) and kind in BARE else given


def error_of(span: Span) -> str | None:
    """Why the span failed, in the server's or the tool's own words; None where it did not."""
    told = (e.attributes for e in span.events if e.name in names("events", "exception"))
    raised = next((a for a in told if a.get("exception.message") or a.get("exception.type")), {})
    said = raised.get("exception.message") or raised.get("exception.type")
    if span.status != "error" and not (said and span.status == "unset"):
        return None
    output = unwrapped(field(span, "tool_output"))
    written = output.value if isinstance(output.value, str) else None
    return str(said or span.message or written or span.attributes.get("error.type") or "failed")


def _thought(span: Span) -> str:
    """Thinking, or what the model said beside the tools that it called."""
    answers = output_messages(span)
    thoughts = [m.thought or (m.text if m.calls else "") for m in answers]
    return "\n".join(text for text in thoughts if text.strip())


def _calls_without_spans(spans: Sequence[Span], kinds: dict[str, Role]) -> Iterator[Step]:
    """Tool calls that only the model's messages tell of, since no span was made for them."""
    traced = {_name(span) for span in spans if kinds[span.span_id] in ("tool", "retriever")}
    models = [span for span in spans if kinds[span.span_id] == "llm"]
    given = [input_messages(span) for span in models]
    answers = {r.call_id: r.output for told in given for m in told for r in m.results if r.call_id}
    seen: set[str] = set()
    for span, asked in zip(models, given, strict=True):
        for call in _fresh(asked, output_messages(span)):
            key = call.call_id or f"{call.name}{call.arguments}"
            if call.name in traced or not call.name or key in seen:
                continue
            seen.add(key)
            kind = node_type(call.name, call.arguments)
            output = unwrapped(answers.get(call.call_id))
            tool = _answered(ToolCall(call.name, _named(kind, call.arguments)), kind, output.value)
            at = span.end or span.start or 0
            yield Step(kind, f"{span.span_id}:{key}", at, tool=tool)


def _fresh(asked: Sequence[Message], said: Sequence[Message]) -> Iterator[Call]:
    """The calls since the user spoke last: earlier ones belong to earlier turns."""
    last = max((n for n, m in enumerate(asked) if m.speaker == "user"), default=-1)
    for message in (*asked[last + 1 :], *said):
        yield from message.calls


def _once(ordered: Sequence[Step]) -> list[Step]:
    """Without what a second instrumentation told again: the same step at the same time."""
    kept: list[Step] = []
    for step in ordered:
        twice = any(
            (step.type, step.reasoning, step.tool) == (other.type, other.reasoning, other.tool)
            and step.start <= (other.end if other.end is not None else other.start)
            for other in kept[-8:]
        )
        if not twice:
            kept.append(step)
    return kept
