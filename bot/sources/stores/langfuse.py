"""Langfuse over its public API: observations v2 and scores v3 (server v4, Cloud since 2026).

Scores can be asked for by the time of the vote, so that late ones are found by themselves.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import msgspec

from bot.records.report import Skipped
from bot.sources.http import Http, cursored
from bot.sources.query import Query, sampled, stamp
from bot.sources.spans.ids import parent_id, span_id, trace_id
from bot.sources.spans.span import NotReadable, Session, Span, Vote
from bot.sources.spans.times import instant
from bot.sources.spans.votes import score
from bot.sources.store import (
    Door,
    Environment,
    Store,
    assembled,
    decoded,
    first,
    listed,
    required,
    some,
)

OBSERVATIONS, SCORES = "/api/public/v2/observations", "/api/public/v3/scores"
FIELDS = "core,basic,time,io,metadata,model,trace_context"
# Inputs and outputs make a page heavy.
LIGHT_PAGE, HEAVY_PAGE, SCORE_PAGE = 1000, 100, 100


class _Observation(msgspec.Struct, rename="camel"):
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


class _Subject(msgspec.Struct, rename="camel"):
    kind: str
    id: str
    trace_id: str | None = None


class _Score(msgspec.Struct, rename="camel"):
    name: str
    data_type: str
    value: Any = None
    source: str | None = None
    timestamp: str | None = None
    comment: str | None = None
    subject: _Subject | None = None


def door(environment: Environment) -> Door:
    """`LANGFUSE_PUBLIC_KEY` and `LANGFUSE_SECRET_KEY`; a key belongs to one project."""
    public = required(environment, "LANGFUSE_PUBLIC_KEY")
    secret = required(environment, "LANGFUSE_SECRET_KEY")
    pair = base64.b64encode(f"{public}:{secret}".encode()).decode()
    url = first(environment, "LANGFUSE_BASE_URL", "LANGFUSE_HOST") or "https://cloud.langfuse.com"
    return Door(url, {"authorization": f"Basic {pair}"})


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Sessions in which something was traced or voted in the window, each read in whole."""
    seen: set[tuple[str, str]] = set()
    for touched in _touched(http, query):
        if isinstance(touched, Skipped):
            yield touched
            continue
        kind, key = touched
        if (kind, key) in seen or not sampled(key, query.sample):
            continue
        seen.add((kind, key))
        derived = kind == "traceId"
        name = trace_id(key) if derived else key
        yield from assembled(name, _rows(http, kind, key), read, derived=derived)


def _touched(http: Http, query: Query) -> Iterator[tuple[str, str] | Skipped]:
    """Sessions, and traces without one, by what happened to them since; the oldest first."""
    window = {"fromStartTime": stamp(query.since), "environment": query.environment}
    keys: dict[tuple[str, str], None] = {}
    rows = _pages(http, OBSERVATIONS, LIGHT_PAGE, {"fields": "core,basic", **window})
    for row in listed(rows, _Observation):
        if isinstance(row, Skipped):
            yield row
        else:
            keys[_home(row)] = None
    yield from reversed(keys)
    if query.since is None:
        return
    asked = {"fromTimestamp": stamp(query.since), "fields": "subject"}
    for vote in listed(_pages(http, SCORES, SCORE_PAGE, asked), _Score):
        match vote:
            case Skipped():
                yield vote
            case _Score(subject=_Subject(kind="session", id=session)):
                yield "sessionId", session
            case _Score(subject=_Subject(kind="trace", id=trace)):
                yield _home_of(http, trace)
            case _Score(subject=_Subject(kind="observation", trace_id=str(trace))):
                yield _home_of(http, trace)
            case _:
                continue


def _home(row: _Observation) -> tuple[str, str]:
    session = (row.session_id or "").strip()
    return ("sessionId", session) if session else ("traceId", row.trace_id)


def _home_of(http: Http, trace: str) -> tuple[str, str]:
    rows = _pages(http, OBSERVATIONS, LIGHT_PAGE, {"fields": "core,basic", "traceId": trace})
    homes = [_home(row) for row in listed(rows, _Observation) if isinstance(row, _Observation)]
    return next((home for home in homes if home[0] == "sessionId"), ("traceId", trace))


def _rows(http: Http, kind: str, key: str) -> Iterator[Any]:
    """The observations, then the scores on the session and on its traces."""
    traces: dict[str, None] = {}
    for row in _pages(http, OBSERVATIONS, HEAVY_PAGE, {kind: key, "fields": FIELDS}):
        traces[str(row.get("traceId"))] = None
        yield row
    if kind == "sessionId":
        yield from _scores(http, {"sessionId": key})
    for portion in some(list(traces), SCORE_PAGE):
        yield from _scores(http, {"traceId": ",".join(portion)})


def _scores(http: Http, subject: dict[str, str]) -> Iterator[Any]:
    return _pages(http, SCORES, SCORE_PAGE, {**subject, "fields": "details,subject"})


def _pages(http: Http, path: str, limit: int, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    def page(cursor: Any) -> tuple[list[Any], Any]:
        answer = http.get(path, {**asked, "limit": limit, "cursor": cursor})
        meta = answer.get("meta")
        rows = [row for row in answer.get("data") or [] if isinstance(row, dict)]
        return rows, meta.get("cursor") if isinstance(meta, dict) else None

    return cursored(page)


def read(row: Any) -> Iterator[Span | Vote]:
    """An observation or a score as the API, or an export of it, gives them."""
    match row:
        case {"dataType": _, "value": _}:
            yield from _votes(decoded(row, _Score))
        case {"traceId": _, "id": _}:
            yield _span(decoded(row, _Observation))
        case _:
            raise NotReadable("it is no observation and no score of Langfuse")


def _span(row: _Observation) -> Span:
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


def _votes(row: _Score) -> Iterator[Vote]:
    """A score on a session, a trace or a span; those on experiments are no user's."""
    subject = row.subject
    if subject is None or subject.kind not in ("session", "trace", "observation"):
        return
    text = row.value if isinstance(row.value, str) else None
    said = {"CORRECTION": f"expected: {text}", "TEXT": text}
    written = row.data_type in said
    whole = {"session": None, "trace": subject.id}.get(subject.kind, subject.trace_id)
    yield Vote(
        row.name,
        None if written else text,
        None if written else score(row.value),
        said.get(row.data_type, row.comment),
        "eval" if row.source == "EVAL" else "human",
        row.timestamp,
        span_id(subject.id) if subject.kind == "observation" else None,
        trace_id(whole) if whole else None,
        subject.id if subject.kind == "session" else None,
    )


STORE = Store(door, pull, read)
