"""One trace as one exchange: what was asked, what was done, what was answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.sources.spans.messages import (
    Message,
    input_messages,
    output_messages,
    system_text,
)
from bot.sources.spans.span import Span
from bot.sources.spans.steps import Step, steps
from bot.sources.spans.vocabulary import candidates, names, role

ASKING = frozenset({"agent", "chain", "llm"})


class Exchange(msgspec.Struct, frozen=True):
    """A trace read; `question` or `answer` is None where the trace does not tell it.

    `history` is what had been said before, as the model was given it.
    """

    trace_id: str
    start: int
    end: int
    spans: tuple[Span, ...]
    steps: tuple[Step, ...]
    history: tuple[Message, ...] = ()
    question: str | None = None
    answer: str | None = None
    system: str = ""


def exchange(trace: Sequence[Span]) -> Exchange:
    """The exchange that the spans of one trace tell of, in whatever order they come."""
    spans = ordered(trace)
    roots = _roots(spans)
    asked = next(_asked([*roots, *spans]), ())
    said = [m for m in asked if m.speaker in ("user", "assistant") and m.text.strip()]
    last = max((n for n, m in enumerate(said) if m.speaker == "user"), default=None)
    models = [span for span in spans if role(span) == "llm"]
    return Exchange(
        spans[0].trace_id,
        spans[0].start or 0,
        max(span.end or span.start or 0 for span in spans),
        tuple(spans),
        tuple(steps(spans)),
        history=() if last is None else _history(said[:last], models),
        question=None if last is None else said[last].text,
        answer=next(_answers(roots, models), None),
        system=next(filter(None, map(system_text, models)), ""),
    )


def ordered(trace: Sequence[Span]) -> list[Span]:
    """Spans by start, a parent before its children; one without a time goes by its parent's."""
    depth = _depths(trace)
    starts = {span.span_id: span.start for span in trace if span.start}
    first = min(starts.values(), default=0)

    def key(span: Span) -> tuple[int, int]:
        return span.start or starts.get(span.parent_id or "") or first, depth[span.span_id]

    return [
        span if span.start else replace(span, start=key(span)[0]) for span in sorted(trace, key=key)
    ]


def _depths(trace: Sequence[Span]) -> dict[str, int]:
    """How many known parents each span has; a circle of parents ends where it closes."""
    parents = {span.span_id: span.parent_id for span in trace}
    depths: dict[str, int] = {}
    for start in parents:
        path: dict[str, None] = {}
        at: str | None = start
        while at is not None and at in parents and at not in depths and at not in path:
            path[at] = None
            at = parents[at]
        below = depths.get(at, -1) if at is not None else -1
        for number, known in enumerate(reversed(path), 1):
            depths[known] = below + number
    return depths


def _roots(spans: Sequence[Span]) -> list[Span]:
    """Spans whose parent is not in the trace; of a circle, the first span."""
    known = {span.span_id for span in spans}
    return [span for span in spans if span.parent_id not in known] or [spans[0]]


def _asked(spans: Sequence[Span]) -> Iterator[Sequence[Message]]:
    """What was put to the agent, from the most telling span on."""
    for span in spans:
        if role(span) not in ASKING:
            continue
        told = input_messages(span)
        if any(m.speaker == "user" and m.text.strip() for m in told):
            yield told
        elif not told and (text := plain(candidates(span, "input"), "question")):
            yield (Message("user", text),)


def _history(before: Sequence[Message], models: Sequence[Span]) -> tuple[Message, ...]:
    """What the root was not given may stand in the first call of a model."""
    if before or not models:
        return tuple(before)
    said = [m for m in input_messages(models[0]) if m.speaker in ("user", "assistant")]
    spoken = [m for m in said if m.text.strip()]
    last = max((n for n, m in enumerate(spoken) if m.speaker == "user"), default=0)
    return tuple(spoken[:last])


def _answers(roots: Sequence[Span], models: Sequence[Span]) -> Iterator[str]:
    """What came back to the user: the root's output, else the last words of a model."""
    for span in roots:
        if role(span) not in ASKING:
            continue
        told = [m for m in output_messages(span) if m.speaker == "assistant"]
        if told and told[-1].text.strip() and not told[-1].calls:
            yield told[-1].text
        elif not told and (text := plain(candidates(span, "output"), "answer")):
            yield text
    for span in reversed(models):
        texts = [m.text for m in output_messages(span) if m.speaker == "assistant" and not m.calls]
        if texts and texts[-1].strip():
            yield texts[-1]
        elif not texts and (text := plain(candidates(span, "output"), "answer", bare=True)):
            yield text


def plain(values: Iterable[Any], key: str, *, bare: bool = False) -> str | None:
    """The first value that is words: a text, or an object's text under a name that says so.

    An object that has no such name is given as JSON, unless only bare texts are wanted.
    """
    for value in values:
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, dict):
            known = (value.get(name) for name in names("texts", key))
            inner = [held for held in known if isinstance(held, str | dict)]
            if (found := plain(inner, key, bare=True)) is not None:
                return found
        if isinstance(value, dict | list) and value and not bare:
            return json.dumps(value, ensure_ascii=False)
    return None
