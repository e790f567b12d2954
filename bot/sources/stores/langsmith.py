"""LangSmith over its API: runs of `/api/v2`, since the older listing ends in January 2027, and
feedback. What is called a session there is a project; a conversation is a thread."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from bot.errors import SourceError
from bot.records.report import Skipped
from bot.sources.http import Http, cursored
from bot.sources.query import Query, sampled, stamp
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

# Without a start the API answers for the last day only.
EVER = "2000-01-01T00:00:00Z"
PAGE, FEEDBACK_PAGE, IDS = 100, 100, 50
NAMED = ("ID", "TRACE_ID", "THREAD_ID", "START_TIME")
WHOLE = (
    *("ID", "NAME", "RUN_TYPE", "STATUS", "START_TIME", "END_TIME", "ERROR", "EXTRA", "METADATA"),
    *("INPUTS", "OUTPUTS", "PARENT_RUN_IDS", "TRACE_ID", "THREAD_ID", "DOTTED_ORDER", "TAGS"),
)
THREAD_KEYS = ("thread_id", "session_id", "conversation_id")


class _Run(msgspec.Struct):
    id: str
    trace_id: str
    name: str | None = None
    run_type: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    inputs: Any = None
    outputs: Any = None
    error: str | None = None
    status: str | None = None
    parent_run_id: str | None = None
    dotted_order: str | None = None
    thread_id: str | None = None
    extra: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    tags: tuple[str, ...] | None = ()

    @property
    def parent(self) -> str | None:
        """The order names every ancestor, each as its time and its id."""
        path = (self.dotted_order or "").split(".")
        return self.parent_run_id or (path[-2].partition("Z")[2] if len(path) > 1 else None)

    @property
    def told(self) -> dict[str, Any]:
        inner = (self.extra or {}).get("metadata")
        return {**(inner if isinstance(inner, dict) else {}), **(self.metadata or {})}

    @property
    def thread(self) -> str | None:
        known = (self.thread_id, *(self.told.get(key) for key in THREAD_KEYS))
        return next((str(value).strip() for value in known if value), None)


class _Voter(msgspec.Struct):
    type: str | None = None


class _Feedback(msgspec.Struct):
    key: str
    run_id: str | None = None
    trace_id: str | None = None
    score: Any = None
    value: Any = None
    comment: str | None = None
    correction: Any = None
    modified_at: str | None = None
    feedback_source: _Voter | None = None


class _Project(msgspec.Struct):
    id: str


def door(environment: Environment) -> Door:
    """`LANGSMITH_API_KEY`."""
    key = required(environment, "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY")
    url = first(environment, "LANGSMITH_ENDPOINT", "LANGCHAIN_ENDPOINT")
    return Door(
        url or "https://api.smith.langchain.com",
        {"x-api-key": key},
        first(environment, "LANGSMITH_PROJECT", "LANGCHAIN_PROJECT") or "default",
    )


def pull(http: Http, query: Query) -> Iterator[Session | Skipped]:
    """Threads with a root run in the window, each read in whole; the oldest first."""
    project = _project(http, query.project or "default")
    asked = {"is_root": True, "min_start_time": stamp(query.oldest) or EVER, "selects": NAMED}
    found: dict[tuple[str, bool], list[str]] = {}
    for run in _runs(http, project, asked):
        if isinstance(run, Skipped):
            yield run
            continue
        key = (run.thread or run.trace_id, run.thread is None)
        found.setdefault(key, []).append(run.trace_id)
    for (name, derived), traces in reversed(found.items()):
        if not sampled(name, query.sample):
            continue
        whole = traces if derived else _traces_of(http, project, name) or traces
        rows = _rows(http, project, list(dict.fromkeys(whole)))
        yield from assembled(name, rows, read, derived=derived)


def _project(http: Http, name: str) -> str:
    found = http.get("/api/v1/sessions", {"name": name, "limit": 1}).get("data")
    if not found:
        raise SourceError(f"{http.base} knows no such project; set `project` to one that it lists")
    return decoded(found[0], _Project).id


def _traces_of(http: Http, project: str, thread: str) -> list[str]:
    condition = f"eq(thread_id, {json.dumps(thread)})"
    asked = {"is_root": True, "filter": condition, "min_start_time": EVER, "selects": NAMED}
    return [run.trace_id for run in _runs(http, project, asked) if isinstance(run, _Run)]


def _rows(http: Http, project: str, traces: Sequence[str]) -> Iterator[Any]:
    """The runs of the traces, then the feedback on them."""
    runs: list[str] = []
    for trace in traces:
        asked = {"trace_id": trace, "min_start_time": EVER, "selects": WHOLE}
        for row in _pages(http, project, asked):
            runs += [str(row["id"])] if isinstance(row, dict) and "id" in row else []
            yield row
    for portion in some(runs, IDS):
        yield from _feedback(http, portion)


def _runs(http: Http, project: str, asked: dict[str, Any]) -> Iterator[_Run | Skipped]:
    return listed(_pages(http, project, asked), _Run)


def _pages(http: Http, project: str, asked: dict[str, Any]) -> Iterator[Any]:
    def page(cursor: Any) -> tuple[list[Any], Any]:
        body = {**asked, "project_ids": [project], "page_size": PAGE, "cursor": cursor}
        answer = http.post("/api/v2/runs/query", body)
        return answer.get("items") or [], answer.get("next_cursor")

    return cursored(page)


def _feedback(http: Http, runs: Sequence[str]) -> Iterator[Any]:
    def page(offset: Any) -> tuple[list[Any], Any]:
        at = offset or 0
        asked = [*(("run", run) for run in runs), ("limit", FEEDBACK_PAGE), ("offset", at)]
        rows = http.get("/api/v1/feedback", asked).get("data") or []
        return rows, at + len(rows) if len(rows) == FEEDBACK_PAGE else None

    return cursored(page)


def read(row: Any) -> Iterator[Span | Vote]:
    """A run of either version of the API, or feedback on one."""
    match row:
        case {"key": _}:
            yield _vote(decoded(row, _Feedback))
        case {"run_type": _, "trace_id": _}:
            yield _span(decoded(row, _Run))
        case _:
            raise NotReadable("it is no run and no feedback of LangSmith")


def _span(row: _Run) -> Span:
    carried = {
        "langsmith.span.kind": (row.run_type or "chain").lower(),
        "session.id": row.thread,
        "input.value": row.inputs,
        "output.value": row.outputs,
        "gen_ai.request.model": row.told.get("ls_model_name"),
        "tags": list(row.tags or ()),
        "metadata": row.told,
    }
    failed = bool(row.error) or (row.status or "").lower() == "error"
    return Span(
        row.trace_id,
        row.id,
        row.name or "",
        row.parent,
        instant(row.start_time),
        instant(row.end_time),
        "error" if failed else "ok",
        row.error or "",
        {key: value for key, value in carried.items() if value not in (None, [], {})},
    )


def _vote(row: _Feedback) -> Vote:
    """The display value decides over the score, as a label does."""
    comment = row.comment
    if row.correction:
        comment = f"expected: {row.correction}"
    voter = row.feedback_source.type if row.feedback_source else None
    return Vote(
        row.key,
        row.value if isinstance(row.value, str) else None,
        score(row.score),
        comment,
        "model" if voter in ("model", "auto_eval") else "human",
        row.modified_at,
        row.run_id,
        row.trace_id,
    )


STORE = Store(door, pull, read)
