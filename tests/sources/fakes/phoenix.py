"""Phoenix's REST API, as a server 20.26 answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.sources.fakes.said import PAGE, Said, one, page, sessions, stamp
from tests.sources.fakes.server import Answer, Query

ENVIRONMENT = {"PHOENIX_API_KEY": "a-secret", "PHOENIX_PROJECT_NAME": "support"}
HEADERS = {"authorization": "Bearer a-secret"}
CAP = 1000
DEFAULT = 100


def fake(said: Sequence[Said]) -> Answer:
    def answer(path: str, query: Query, _: Any) -> Any:
        project = "/v1/projects/support/"
        if not path.startswith(project):
            return None
        rows = ROWS[path.removeprefix(project)](said, query)
        limit = int(one(query, "limit", str(DEFAULT)))
        assert limit <= CAP
        data, cursor = page(rows, one(query, "cursor"), min(limit, PAGE))
        return {"data": data, "next_cursor": cursor}

    return answer


def _sessions(said: Sequence[Said], query: Query) -> list[Any]:
    condition = one(query, "filter")
    since = re.search(r'start_time >= "([^"]+)"', condition)
    rows = []
    for name, told in sessions(said).items():
        start = min(stamp(each.at) for each in told)
        if since and start < since[1]:
            continue
        if "num_traces_with_error > 0" in condition and not any(each.failed for each in told):
            continue
        rows.append({"session_id": name, "start_time": start, "traces": [_trace(t) for t in told]})
    broken = [{"session_id": None, "start_time": ""} for told in said if told.broken]
    return [*broken, *sorted(rows, key=lambda row: row["start_time"])]


def _traces(said: Sequence[Said], query: Query) -> list[Any]:
    name, since, error = (one(query, k) for k in ("session_identifier", "start_time", "error"))
    found = [
        told
        for told in said
        if (not name or told.session == name)
        and stamp(told.at) >= since
        and (not error or told.failed)
    ]
    return [_trace(told) for told in sorted(found, key=lambda told: told.at)]


def _trace(told: Said) -> dict[str, Any]:
    return {"id": f"T{told.number}", "trace_id": told.trace, "start_time": stamp(told.at)}


def _spans(said: Sequence[Said], query: Query) -> list[Any]:
    wanted = set(query.get("trace_id", []))
    return [row for told in said if told.trace in wanted for row in _rows(told)]


def _rows(told: Said) -> list[Any]:
    root = f"{told.number:016x}"
    # As the server flattens them, with the kind beside them.
    attributes = {
        **({"session.id": told.session} if told.session else {}),
        "input.value": told.question,
        "output.value": told.answer,
        "metadata.environment": told.environment,
        "tag.tags": list(told.tags),
    }
    tool = {"tool.name": "get_order", "tool.parameters.id": told.number, "output.value": "sent"}
    rows: list[Any] = [
        _span(told, root, None, "AGENT", attributes),
        _span(told, f"{told.number:08x}ffffffff", root, "TOOL", tool, failed=told.failed),
    ]
    return [*rows, {"context": {"trace_id": 5}}] if told.broken else rows


def _span(
    told: Said,
    span: str,
    parent: str | None,
    kind: str,
    attributes: dict[str, Any],
    failed: bool = False,
) -> dict[str, Any]:
    return {
        "id": span,
        "name": kind.lower(),
        "context": {"trace_id": told.trace, "span_id": span},
        "span_kind": kind,
        "parent_id": parent,
        "start_time": stamp(told.at),
        "end_time": stamp(told.at + timedelta(seconds=1)),
        "status_code": "ERROR" if failed else "OK",
        "status_message": "boom" if failed else "",
        "attributes": attributes,
        "events": [],
    }


def _trace_annotations(said: Sequence[Said], query: Query) -> list[Any]:
    wanted = set(query.get("trace_ids", []))
    return [
        {
            "name": "user_feedback",
            "annotator_kind": "HUMAN",
            "result": {"label": None, "score": float(told.vote), "explanation": "why"},
            "updated_at": stamp(told.voted_at),
            "trace_id": told.trace,
        }
        for told in said
        if told.trace in wanted and told.vote is not None
    ]


def _none(said: Sequence[Said], query: Query) -> list[Any]:
    return []


ROWS = {
    "sessions": _sessions,
    "traces": _traces,
    "spans": _spans,
    "span_annotations": _none,
    "trace_annotations": _trace_annotations,
    "session_annotations": _none,
}
