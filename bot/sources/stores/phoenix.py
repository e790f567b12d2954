"""Arize Phoenix over its REST API (checked against the server 20.26).

Sessions are listed by the server, and traces that belong to none are sessions of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from bot.records.report import Skipped
from bot.sources.http import Http, cursored
from bot.sources.query import Query, sampled, stamp
from bot.sources.spans.ids import parent_id, span_id, trace_id
from bot.sources.spans.span import Event, NotReadable, Session, Span, Status, Vote
from bot.sources.spans.times import instant
from bot.sources.spans.votes import score
from bot.sources.store import Door, Environment, Store, assembled, decoded, first, listed, some

STATUS: Mapping[Any, Status] = {"OK": "ok", "ERROR": "error"}
# The longest address that proxies pass on holds about a hundred ids.
IDS = 100


class _Context(msgspec.Struct):
    trace_id: str
    span_id: str


class _Event(msgspec.Struct):
    name: str = ""
    attributes: dict[str, Any] = {}


class _Span(msgspec.Struct):
    context: _Context
    name: str = ""
    span_kind: str | None = None
    parent_id: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    status_code: str | None = None
    status_message: str | None = None
    attributes: dict[str, Any] = {}
    events: tuple[_Event, ...] = ()


class _Result(msgspec.Struct):
    label: str | None = None
    score: Any = None
    explanation: str | None = None


class _Annotation(msgspec.Struct):
    name: str
    result: _Result
    annotator_kind: str | None = None
    updated_at: str | None = None
    span_id: str | None = None
    trace_id: str | None = None
    session_id: str | None = None


class _Trace(msgspec.Struct):
    trace_id: str


class _Session(msgspec.Struct):
    session_id: str
    traces: tuple[_Trace, ...] = ()


def door(environment: Environment) -> Door:
    """`PHOENIX_API_KEY` where the server asks for one."""
    key = first(environment, "PHOENIX_API_KEY")
    url = first(environment, "PHOENIX_COLLECTOR_ENDPOINT") or "http://127.0.0.1:6006"
    return Door(
        url.removesuffix("/v1/traces"),
        {"authorization": f"Bearer {key}"} if key else {},
        first(environment, "PHOENIX_PROJECT_NAME") or "default",
    )


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Sessions by their start, then traces that no session listed."""
    project = f"/v1/projects/{quote(query.project or 'default', safe='')}"
    seen: set[str] = set()
    sessions = _pages(http, f"{project}/sessions", filter=_filter(query), order="asc")
    for told in listed(sessions, _Session):
        if isinstance(told, Skipped):
            yield told
            continue
        traces = [trace.trace_id for trace in told.traces]
        seen.update(traces)
        if sampled(told.session_id, query.sample):
            rows = _rows(http, project, told.session_id, traces)
            yield from assembled(told.session_id, rows, read)
    start = stamp(query.oldest)
    error = "true" if query.only_errors else None
    order = {"start_time": start, "error": error, "sort": "start_time", "order": "asc"}
    for trace in listed(_pages(http, f"{project}/traces", **order), _Trace):
        if isinstance(trace, Skipped):
            yield trace
        elif trace.trace_id not in seen:
            yield from _unlisted(http, project, trace.trace_id, seen)


def _filter(query: Query) -> str | None:
    parts = [
        f'start_time >= "{stamp(query.oldest)}"' if query.oldest else None,
        "num_traces_with_error > 0" if query.only_errors else None,
    ]
    return " and ".join(filter(None, parts)) or None


def _unlisted(http: Http, project: str, trace: str, seen: set[str]) -> Iterator[Session | Skipped]:
    """A trace whose session began before the window, or that has none."""
    told = map(_told_session, _spans(http, project, [trace]))
    name = next(filter(None, told), None)
    if name is None:
        rows = _rows(http, project, None, [trace])
        yield from assembled(trace, rows, read, derived=True)
        return
    rows = _pages(http, f"{project}/traces", session_identifier=name)
    traces = [t.trace_id for t in listed(rows, _Trace) if isinstance(t, _Trace)] or [trace]
    seen.update(traces)
    yield from assembled(name, _rows(http, project, name, traces), read)


def _told_session(row: Any) -> str | None:
    match row:
        case {"attributes": {"session.id": str() | int() as name}}:
            return str(name).strip() or None
        case _:
            return None


def _rows(http: Http, project: str, name: str | None, traces: Sequence[str]) -> Iterator[Any]:
    """All rows of a session: its spans, and the annotations on them, its traces and itself."""
    ids: list[str] = []
    for row in _spans(http, project, traces):
        match row:
            case {"context": {"span_id": str(span)}}:
                ids.append(span)
            case _:
                pass
        yield row
    levels = {"span": ids, "trace": traces, "session": [name] if name else []}
    for level, subjects in levels.items():
        for portion in some(subjects, IDS):
            asked = {f"{level}_ids": list(portion)}
            yield from _pages(http, f"{project}/{level}_annotations", **asked)


def _spans(http: Http, project: str, traces: Sequence[str]) -> Iterator[Any]:
    for portion in some(traces, IDS):
        yield from _pages(http, f"{project}/spans", trace_id=list(portion), sort="start_time")


def _pages(http: Http, path: str, **asked: Any) -> Iterator[Any]:
    """Every row of a listing; a list is one parameter that is given several times."""
    fixed = [
        (key, item)
        for key, value in asked.items()
        for item in (value if isinstance(value, list) else [value])
    ]

    def page(cursor: Any) -> tuple[list[Any], Any]:
        answer = http.get(path, [*fixed, ("limit", 100), ("cursor", cursor)])
        return answer.get("data") or [], answer.get("next_cursor")

    return cursored(page)


def read(row: Any) -> Iterator[Span | Vote]:
    """A span or an annotation as the API gives them; rows of sessions and traces hold nothing."""
    match row:
        case {"context": _}:
            yield _span(decoded(row, _Span))
        case {"result": _}:
            yield _vote(decoded(row, _Annotation))
        case {"session_id": _} | {"trace_id": _}:
            return
        case _:
            raise NotReadable("it is no span and no annotation of Phoenix")


def _span(row: _Span) -> Span:
    kind = {"openinference.span.kind": row.span_kind} if row.span_kind else {}
    return Span(
        trace_id(row.context.trace_id),
        span_id(row.context.span_id),
        row.name,
        parent_id(row.parent_id),
        instant(row.start_time),
        instant(row.end_time),
        STATUS.get(row.status_code, "unset"),
        row.status_message or "",
        {**kind, **row.attributes},
        events=tuple(Event(event.name, event.attributes) for event in row.events),
    )


def _vote(row: _Annotation) -> Vote:
    return Vote(
        row.name,
        row.result.label or None,
        score(row.result.score),
        row.result.explanation or None,
        row.annotator_kind,
        row.updated_at,
        row.span_id,
        row.trace_id,
        row.session_id,
    )


STORE = Store(door, pull, read)
