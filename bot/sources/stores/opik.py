"""Opik over its REST API, and the files of `opik export` (client 2.2).

A trace is the root span itself there, and its spans hang below it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from bot.records.report import Skipped
from bot.sources.http import Http, cursored
from bot.sources.query import Query, sampled, stamp
from bot.sources.spans.span import NotReadable, Session, Span, Vote
from bot.sources.spans.times import instant
from bot.sources.spans.votes import score
from bot.sources.store import Door, Environment, Store, assembled, decoded, first, listed

TRACES, SPANS = "/v1/private/traces", "/v1/private/spans"
PAGE = 100


class _Failure(msgspec.Struct):
    exception_type: str | None = None
    message: str | None = None


class _Score(msgspec.Struct):
    name: str
    value: Any = None
    category_name: str | None = None
    reason: str | None = None
    source: str | None = None
    last_updated_at: str | None = None


class _Row(msgspec.Struct):
    """A trace, or a span where it has a `trace_id`."""

    id: str
    trace_id: str | None = None
    parent_span_id: str | None = None
    name: str | None = None
    type: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    input: Any = None
    output: Any = None
    metadata: Any = None
    tags: tuple[str, ...] | None = ()
    error_info: _Failure | None = None
    feedback_scores: tuple[_Score, ...] | None = ()
    thread_id: str | None = None
    environment: str | None = None
    model: str | None = None


class _Export(msgspec.Struct):
    trace: dict[str, Any]
    spans: tuple[dict[str, Any], ...] = ()


def door(environment: Environment) -> Door:
    """`OPIK_API_KEY` and `OPIK_WORKSPACE` where the server asks for them."""
    key, workspace = first(environment, "OPIK_API_KEY"), first(environment, "OPIK_WORKSPACE")
    headers = {"authorization": key, "comet-workspace": workspace}
    hosted = "https://www.comet.com/opik/api"
    return Door(
        first(environment, "OPIK_URL_OVERRIDE") or (hosted if key else "http://127.0.0.1:5173/api"),
        {name: value for name, value in headers.items() if value},
        first(environment, "OPIK_PROJECT_NAME") or "Default Project",
    )


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Threads with a trace in the window, each read in whole; the oldest first."""
    project = {"project_name": query.project or "Default Project"}
    asked = {**project, "from_time": stamp(query.oldest), "exclude": '["input","output"]'}
    found: dict[tuple[str, bool], None] = {}
    for trace in listed(_pages(http, TRACES, asked), _Row):
        if isinstance(trace, Skipped):
            yield trace
        else:
            found[(trace.thread_id or trace.id, not trace.thread_id)] = None
    for name, derived in reversed(found):
        if sampled(name, query.sample):
            rows = _rows(http, project, "id" if derived else "thread_id", name)
            yield from assembled(name, rows, read, derived=derived)


def _rows(http: Http, project: dict[str, str], field: str, value: str) -> Iterator[Any]:
    """The traces that have that value in a field, and the spans of each."""
    condition = [{"field": field, "operator": "=", "key": "", "value": value}]
    whole = {**project, "truncate": "false", "strip_attachments": "true"}
    for row in _pages(http, TRACES, {**whole, "filters": json.dumps(condition)}):
        yield row
        if isinstance(row, dict) and row.get("id"):
            yield from _pages(http, SPANS, {**whole, "trace_id": row["id"]})


def _pages(http: Http, path: str, asked: dict[str, Any]) -> Iterator[Any]:
    def page(number: Any) -> tuple[list[Any], Any]:
        at = number or 1
        rows = http.get(path, {**asked, "page": at, "size": PAGE}).get("content") or []
        return rows, at + 1 if len(rows) == PAGE else None

    return cursored(page)


def read(row: Any) -> Iterator[Span | Vote]:
    """A trace or a span as the API gives them, or both as an export has them in one file."""
    match row:
        case {"trace": _}:
            export = decoded(row, _Export)
            for part in (export.trace, *export.spans):
                yield from read(part)
        case {"id": _, "start_time": _}:
            told = decoded(row, _Row)
            yield _span(told)
            yield from (_vote(given, told) for given in told.feedback_scores or ())
        case _:
            raise NotReadable("it is no trace and no span of Opik")


def _span(row: _Row) -> Span:
    failure = row.error_info
    carried = {
        "openinference.span.kind": row.type or ("agent" if row.trace_id is None else "chain"),
        "session.id": row.thread_id,
        "input.value": row.input,
        "output.value": row.output,
        "gen_ai.request.model": row.model,
        "deployment.environment.name": row.environment,
        "tags": list(row.tags or ()),
        "metadata": row.metadata,
    }
    return Span(
        row.trace_id or row.id,
        row.id,
        row.name or "",
        # The root has its own id as its trace's; a span without a parent hangs below it.
        None if row.trace_id is None else row.parent_span_id or row.trace_id,
        instant(row.start_time),
        instant(row.end_time),
        "error" if failure else "ok",
        (failure.message or failure.exception_type or "") if failure else "",
        {key: value for key, value in carried.items() if value not in (None, [], {})},
    )


def _vote(given: _Score, row: _Row) -> Vote:
    return Vote(
        given.name,
        given.category_name or None,
        score(given.value),
        given.reason,
        "eval" if given.source == "online_scoring" else "human",
        given.last_updated_at,
        row.id,
        row.trace_id or row.id,
    )


STORE = Store(door, pull, read)
