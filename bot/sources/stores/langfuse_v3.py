"""Langfuse before server v4, as many run it themselves: traces with all that belongs to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from bot.records.report import Skipped
from bot.sources.http import Http, NotThere, cursored
from bot.sources.query import Query, sampled, stamp
from bot.sources.spans.ids import trace_id
from bot.sources.spans.span import Session
from bot.sources.store import assembled, listed
from bot.sources.stores.langfuse_rows import Trace, read

TRACES = "/api/public/traces"
PAGE = 100


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Sessions with a trace in the window, each read in whole; the oldest first."""
    asked = {"fromTimestamp": stamp(query.oldest), "environment": query.environment}
    found: dict[tuple[str, bool], list[str]] = {}
    for told in listed(_pages(http, asked), Trace):
        if isinstance(told, Skipped):
            yield told
            continue
        session = (told.session_id or "").strip()
        found.setdefault((session or told.id, not session), []).append(told.id)
    for (name, derived), traces in found.items():
        if not sampled(name, query.sample):
            continue
        whole = traces if derived else _traces_of(http, name) or traces
        rows = (_trace(http, trace) for trace in whole)
        yield from assembled(trace_id(name) if derived else name, rows, read, derived=derived)


def _traces_of(http: Http, session: str) -> list[str]:
    told = listed(_pages(http, {"sessionId": session}), Trace)
    return [trace.id for trace in told if isinstance(trace, Trace)]


def _trace(http: Http, trace: str) -> Any:
    """None where it was deleted since it was listed, which is none that can be read."""
    try:
        return http.get(f"{TRACES}/{quote(trace, safe='')}")
    except NotThere:
        return None


def _pages(http: Http, asked: dict[str, Any]) -> Iterator[Any]:
    """Summaries, the oldest first; those of what belongs to a trace are ids alone."""

    def page(number: Any) -> tuple[list[Any], Any]:
        at = number or 1
        told = {**asked, "orderBy": "timestamp.asc", "page": at, "limit": PAGE}
        answer = http.get(TRACES, told)
        meta = answer.get("meta")
        pages = meta.get("totalPages") if isinstance(meta, dict) else None
        more = isinstance(pages, int) and at < pages
        return answer.get("data") or [], at + 1 if more else None

    return cursored(page)
