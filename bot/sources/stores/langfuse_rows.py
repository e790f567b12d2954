"""Langfuse's rows, of observations v2 and scores v3 and of what servers before v4 gave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from bot.sources.spans.ids import parent_id, span_id, trace_id
from bot.sources.spans.span import NotReadable, Span, Vote
from bot.sources.spans.times import instant
from bot.sources.spans.votes import score
from bot.sources.store import decoded

WRITTEN = ("CATEGORICAL", "TEXT", "CORRECTION")


class Observation(msgspec.Struct, rename="camel"):
    id: str
    trace_id: str
    type: str = "SPAN"
    name: str | None = None
    parent_observation_id: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    level: str | None = None
    status_message: str | None = None
    environment: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    version: str | None = None
    model: str | None = None
    input: Any = None
    output: Any = None
    metadata: Any = None
    tags: tuple[str, ...] | None = ()
    is_root_observation: bool | None = None


class Subject(msgspec.Struct, rename="camel"):
    kind: str
    id: str
    trace_id: str | None = None


class Score(msgspec.Struct, rename="camel"):
    name: str
    data_type: str
    value: Any = None
    source: str | None = None
    timestamp: str | None = None
    comment: str | None = None
    subject: Subject | None = None
    # Before v3 of the scores, these stood in place of the subject and the value.
    trace_id: str | None = None
    observation_id: str | None = None
    session_id: str | None = None
    string_value: str | None = None

    @property
    def judged(self) -> Subject | None:
        """What the score is on; None for an experiment, which is no user's."""
        if self.subject is not None:
            known = self.subject.kind in ("session", "trace", "observation")
            return self.subject if known else None
        if self.observation_id:
            return Subject("observation", self.observation_id, self.trace_id)
        if self.trace_id:
            return Subject("trace", self.trace_id)
        return Subject("session", self.session_id) if self.session_id else None

    @property
    def told(self) -> Any:
        """The value by its type."""
        if self.data_type == "BOOLEAN" and not isinstance(self.value, bool):
            return None if self.value is None else bool(self.value)
        return self.string_value if self.data_type in WRITTEN and self.string_value else self.value


class Trace(msgspec.Struct, rename="camel"):
    """A trace with all that belongs to it, as servers before v4 give and export it."""

    id: str
    timestamp: str | None = None
    name: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    environment: str | None = None
    tags: tuple[str, ...] | None = ()
    input: Any = None
    output: Any = None
    metadata: Any = None
    observations: tuple[Any, ...] = ()
    scores: tuple[Any, ...] = ()


def read(row: Any) -> Iterator[Span | Vote]:
    """An observation, a score, or a whole trace, as the API or an export of it gives them."""
    match row:
        case {"id": _, "observations": list(), "scores": list()}:
            yield from _whole(decoded(row, Trace))
        case {"dataType": _, "name": _}:
            yield from _votes(decoded(row, Score))
        case {"traceId": _, "id": _}:
            yield _span(decoded(row, Observation))
        case _:
            raise NotReadable("it is no observation and no score of Langfuse")


def _span(row: Observation) -> Span:
    carried = {
        "langfuse.observation.type": row.type,
        "langfuse.observation.input": row.input,
        "langfuse.observation.output": row.output,
        "langfuse.session.id": row.session_id,
        "langfuse.user.id": row.user_id,
        "langfuse.environment": row.environment,
        "langfuse.trace.tags": list(row.tags or ()),
        "gen_ai.request.model": row.model,
        "metadata": row.metadata,
    }
    return Span(
        trace_id(row.trace_id),
        span_id(row.id),
        row.name or "",
        # An application's own root may hang below a span of something that is not traced.
        None if row.is_root_observation else parent_id(row.parent_observation_id),
        instant(row.start_time),
        instant(row.end_time),
        "error" if row.level == "ERROR" else "ok",
        row.status_message or "",
        {key: value for key, value in carried.items() if value not in (None, [])},
    )


def _whole(row: Trace) -> Iterator[Span | Vote]:
    """The trace stands for a root span, since its input and output may stand there alone."""
    root = Observation(
        id=row.id,
        trace_id=row.id,
        type="AGENT",
        name=row.name,
        start_time=row.timestamp,
        environment=row.environment,
        session_id=row.session_id,
        user_id=row.user_id,
        input=row.input,
        output=row.output,
        metadata=row.metadata,
        tags=row.tags,
    )
    yield _span(root)
    refused: list[NotReadable] = []
    for part in (*row.observations, *row.scores):
        try:
            yield from read(part)
        except NotReadable as problem:
            refused.append(problem)
    if refused:
        raise refused[0]


def _votes(row: Score) -> Iterator[Vote]:
    subject, value = row.judged, row.told
    if subject is None:
        return
    text = value if isinstance(value, str) else None
    said = {"CORRECTION": f"expected: {text}", "TEXT": text}
    written = row.data_type in said
    whole = {"session": None, "trace": subject.id}.get(subject.kind, subject.trace_id)
    yield Vote(
        row.name,
        None if written else text,
        None if written else score(value),
        said.get(row.data_type, row.comment),
        "eval" if row.source == "EVAL" else "human",
        row.timestamp,
        span_id(subject.id) if subject.kind == "observation" else None,
        trace_id(whole) if whole else None,
        subject.id if subject.kind == "session" else None,
    )
