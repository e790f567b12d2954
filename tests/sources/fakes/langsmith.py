"""LangSmith's API, in the shapes of its published client 0.15."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.sources.fakes.said import PAGE, Said, one, page, stamp
from tests.sources.fakes.server import Answer, Query

ENVIRONMENT = {"LANGSMITH_API_KEY": "a-secret", "LANGSMITH_PROJECT": "support"}
HEADERS = {"x-api-key": "a-secret"}
PROJECT = "00000000-0000-4000-8000-00000000000f"


def fake(said: Sequence[Said]) -> Answer:
    def answer(path: str, query: Query, body: Any) -> Any:
        match path:
            case "/api/v1/sessions":
                return [{"id": PROJECT}] if one(query, "name") == "support" else []
            case "/api/v2/runs/query":
                return _runs(said, body)
            case "/api/v1/feedback":
                return _feedback(said, query)
        return None

    return answer


def _runs(said: Sequence[Said], body: Any) -> Any:
    assert body["project_ids"] == [PROJECT]
    assert body["page_size"] <= 1000
    thread = body.get("filter", "").removeprefix("eq(thread_id, ").removesuffix(")")
    found = [
        told
        for told in sorted(said, key=lambda told: told.at, reverse=True)
        if (not thread or told.session == json.loads(thread))
        and body.get("trace_id") in (None, told.uuid)
        and stamp(told.at) >= body["min_start_time"]
    ]
    rows = [
        row for told in found for row in _rows(told) if row["is_root"] or not body.get("is_root")
    ]
    data, cursor = page(rows, body.get("cursor"), min(body["page_size"], PAGE))
    known = {name.lower() for name in body["selects"]}
    items = [{key: value for key, value in row.items() if key in known} for row in data]
    return {"items": items, "next_cursor": cursor}


def _rows(told: Said) -> list[Any]:
    tool = f"00000000-0000-7000-8001-{told.number:012x}"
    order = f"20261130T000000000000Z{told.uuid}"
    asked = {"messages": [{"type": "human", "content": told.question}]}
    root = {
        **_run(told, told.uuid, order, "chain", asked),
        "outputs": {"messages": [{"type": "ai", "content": told.answer}]},
    }
    child = {
        **_run(told, tool, f"{order}.20261130T000001000000Z{tool}", "tool", {"id": told.number}),
        "outputs": {"output": "sent"},
        "error": "boom" if told.failed else None,
        "status": "ERROR" if told.failed else "SUCCESS",
    }
    broken = {**_run(told, "x", order, "tool", None), "thread_id": 5, "is_root": True}
    return [root, child, broken] if told.broken else [root, child]


def _run(told: Said, own: str, order: str, kind: str, inputs: Any) -> dict[str, Any]:
    return {
        "id": own,
        "trace_id": told.uuid,
        "is_root": own == told.uuid,
        "name": "get_order" if kind == "tool" else "agent",
        "run_type": kind.upper(),
        "status": "SUCCESS",
        "start_time": stamp(told.at),
        "end_time": stamp(told.at + timedelta(seconds=1)),
        "inputs": inputs,
        "dotted_order": order,
        "thread_id": told.session,
        "metadata": {"environment": told.environment},
        "tags": list(told.tags),
    }


def _feedback(said: Sequence[Said], query: Query) -> list[Any]:
    wanted = set(query["run"])
    rows = [
        {
            "id": f"00000000-0000-4000-8000-{told.number:012x}",
            "key": "user_score",
            "run_id": told.uuid,
            "trace_id": told.uuid,
            "score": int(told.vote),
            "value": None,
            "comment": "why",
            "created_at": stamp(told.voted_at),
            "modified_at": stamp(told.voted_at),
            "feedback_source": {"type": "app"},
        }
        for told in said
        if told.uuid in wanted and told.vote is not None
    ]
    start = int(one(query, "offset", "0"))
    return rows[start : start + int(one(query, "limit"))]
