"""Opik's REST API, in the shapes of its published client 2.2."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.sources.fakes.said import Said, one, stamp
from tests.sources.fakes.server import Answer, Query

ENVIRONMENT = {
    "OPIK_API_KEY": "a-secret",
    "OPIK_WORKSPACE": "team",
    "OPIK_PROJECT_NAME": "support",
}
HEADERS = {"authorization": "a-secret", "comet-workspace": "team"}


def fake(said: Sequence[Said]) -> Answer:
    def answer(path: str, query: Query, _: Any) -> Any:
        if one(query, "project_name") != "support":
            return None
        if path == "/v1/private/traces":
            return _page(_traces(said, query), query)
        if path == "/v1/private/spans":
            wanted = one(query, "trace_id")
            return _page([r for told in said if told.uuid == wanted for r in _spans(told)], query)
        return None

    return answer


def _page(rows: list[Any], query: Query) -> dict[str, Any]:
    number, size = int(one(query, "page", "1")), int(one(query, "size", "10"))
    content = rows[(number - 1) * size : number * size]
    return {"page": number, "size": len(content), "total": len(rows), "content": content}


def _traces(said: Sequence[Said], query: Query) -> list[Any]:
    conditions = json.loads(one(query, "filters", "[]"))
    assert all(c["operator"] == "=" and c["key"] == "" for c in conditions)
    rows = [_trace(told) for told in sorted(said, key=lambda told: told.at, reverse=True)]
    broken = [{"id": 5} for told in said if told.broken and not conditions]
    return broken + [
        row
        for row in rows
        if all(row[c["field"]] == c["value"] for c in conditions)
        and row["start_time"] >= one(query, "from_time")
    ]


def _trace(told: Said) -> dict[str, Any]:
    vote = {
        "name": "user_feedback",
        "value": float(told.vote or 0),
        "reason": "why",
        "source": "sdk",
        "last_updated_at": stamp(told.voted_at),
    }
    return {
        "id": told.uuid,
        "name": "agent",
        "start_time": stamp(told.at),
        "end_time": stamp(told.at + timedelta(seconds=2)),
        "input": {"input": told.question},
        "output": {"output": told.answer},
        "metadata": {},
        "tags": list(told.tags),
        "thread_id": told.session,
        "environment": told.environment,
        "feedback_scores": [vote] if told.vote is not None else [],
    }


def _spans(told: Said) -> list[Any]:
    failure = {"exception_type": "E", "message": "boom", "traceback": "E: boom"}
    tool = {
        "id": f"00000000-0000-7000-8001-{told.number:012x}",
        "trace_id": told.uuid,
        "parent_span_id": None,
        "name": "get_order",
        "type": "tool",
        "start_time": stamp(told.at),
        "end_time": stamp(told.at + timedelta(seconds=1)),
        "input": {"id": told.number},
        "output": {"output": "sent"},
        "error_info": failure if told.failed else None,
        "feedback_scores": [],
    }
    return [tool, {**tool, "id": 5}] if told.broken else [tool]
