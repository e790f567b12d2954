"""Langfuse over its public API: observations v2 and scores v3 (server v4, Cloud since 2026).

Scores can be asked for by the time of the vote, so that late ones are found by themselves.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from bot.records.report import Skipped
from bot.sources.http import Http, NotThere, cursored
from bot.sources.query import Query, sampled, stamp
from bot.sources.spans.ids import trace_id
from bot.sources.spans.span import Session
from bot.sources.store import (
    Door,
    Environment,
    Store,
    assembled,
    first,
    listed,
    required,
    some,
)
from bot.sources.stores import langfuse_v3
from bot.sources.stores.langfuse_rows import Observation, Score, Subject, read

OBSERVATIONS, SCORES = "/api/public/v2/observations", "/api/public/v3/scores"
FIELDS = "core,basic,time,io,metadata,model,trace_context"
# Inputs and outputs make a page heavy.
LIGHT_PAGE, HEAVY_PAGE, SCORE_PAGE = 1000, 100, 100


def door(environment: Environment) -> Door:
    """`LANGFUSE_PUBLIC_KEY` and `LANGFUSE_SECRET_KEY`; a key belongs to one project."""
    public = required(environment, "LANGFUSE_PUBLIC_KEY")
    secret = required(environment, "LANGFUSE_SECRET_KEY")
    pair = base64.b64encode(f"{public}:{secret}".encode()).decode()
    url = first(environment, "LANGFUSE_BASE_URL", "LANGFUSE_HOST") or "https://cloud.langfuse.com"
    return Door(url, {"authorization": f"Basic {pair}"})


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Sessions in which something was traced or voted in the window, each read in whole."""
    try:
        traced = list(_traced(http, query))
    except NotThere:
        yield from langfuse_v3.pull(http, query)
        return
    seen: set[tuple[str, str]] = set()
    for touched in (*traced, *_voted(http, query)):
        if isinstance(touched, Skipped):
            yield touched
            continue
        kind, key = touched
        if touched in seen or not sampled(key, query.sample):
            continue
        seen.add(touched)
        derived = kind == "traceId"
        name = trace_id(key) if derived else key
        yield from assembled(name, _rows(http, kind, key), read, derived=derived)


def _traced(http: Http, query: Query) -> Iterator[tuple[str, str] | Skipped]:
    """Sessions, and traces without one, by what was traced in them since; the oldest first."""
    window = {"fromStartTime": stamp(query.since), "environment": query.environment}
    keys: dict[tuple[str, str], None] = {}
    rows = _pages(http, OBSERVATIONS, LIGHT_PAGE, {"fields": "core,basic", **window})
    for row in listed(rows, Observation):
        if isinstance(row, Skipped):
            yield row
        else:
            keys[_home(row)] = None
    yield from reversed(keys)


def _voted(http: Http, query: Query) -> Iterator[tuple[str, str] | Skipped]:
    """The same by what was voted on since, however long ago it was traced."""
    if query.since is None:
        return
    asked = {"fromTimestamp": stamp(query.since), "fields": "subject"}
    for vote in listed(_pages(http, SCORES, SCORE_PAGE, asked), Score):
        match vote:
            case Skipped():
                yield vote
            case Score(subject=Subject(kind="session", id=session)):
                yield "sessionId", session
            case Score(subject=Subject(kind="trace", id=trace)):
                yield _home_of(http, trace)
            case Score(subject=Subject(kind="observation", trace_id=str(trace))):
                yield _home_of(http, trace)
            case _:
                continue


def _home(row: Observation) -> tuple[str, str]:
    session = (row.session_id or "").strip()
    return ("sessionId", session) if session else ("traceId", row.trace_id)


def _home_of(http: Http, trace: str) -> tuple[str, str]:
    rows = _pages(http, OBSERVATIONS, LIGHT_PAGE, {"fields": "core,basic", "traceId": trace})
    homes = [_home(row) for row in listed(rows, Observation) if isinstance(row, Observation)]
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
        rows = [row if isinstance(row, dict) else {} for row in answer.get("data") or []]
        return rows, meta.get("cursor") if isinstance(meta, dict) else None

    return cursored(page)


STORE = Store(door, pull, read)
