"""Langfuse's public API, in the shapes of its published client 5.0."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.sources.fakes.said import PAGE, Said, one, page, stamp
from tests.sources.fakes.server import Answer, Query

ENVIRONMENT = {"LANGFUSE_PUBLIC_KEY": "pk-lf-1", "LANGFUSE_SECRET_KEY": "a-secret"}
HEADERS = {"authorization": "Basic cGstbGYtMTphLXNlY3JldA=="}
IO = ("input", "output", "metadata")


def fake(said: Sequence[Said]) -> Answer:
    def answer(path: str, query: Query, _: Any) -> Any:
        if path == "/api/public/v2/observations":
            return _listing(_observations(said, query), query, 1000)
        if path == "/api/public/v3/scores":
            assert not ("traceId" in query and "sessionId" in query)
            return _listing(_scores(said, query), query, 100)
        return None

    return answer


def _listing(rows: list[Any], query: Query, cap: int) -> dict[str, Any]:
    limit = int(one(query, "limit", "50"))
    assert limit <= cap
    data, cursor = page(rows, one(query, "cursor"), min(limit, PAGE))
    return {"data": data, "meta": {"limit": limit, **({"cursor": cursor} if cursor else {})}}


def _observations(said: Sequence[Said], query: Query) -> list[Any]:
    session, trace, since, environment = (
        one(query, key) for key in ("sessionId", "traceId", "fromStartTime", "environment")
    )
    found = [
        told
        for told in sorted(said, key=lambda told: told.at, reverse=True)
        if (not session or told.session == session)
        and (not trace or told.trace == trace)
        and stamp(told.at) >= since
        and (not environment or told.environment == environment)
    ]
    rows = [row for told in found for row in _rows(told)]
    kept = () if "io" in one(query, "fields") else IO
    return [{k: v for k, v in row.items() if k not in kept} for row in rows]


def _rows(told: Said) -> list[Any]:
    root, tool = f"{told.number:016x}", f"{told.number:08x}ffffffff"
    rows = [
        _row(told, tool, root, "TOOL", f'{{"id": {told.number}}}', "sent"),
        _row(told, root, None, "AGENT", told.question, told.answer),
    ]
    return [*rows, {"id": "a row", "traceId": told.trace, "input": "", "sessionId": 5}][
        : 3 if told.broken else 2
    ]


def _row(
    told: Said, own: str, parent: str | None, kind: str, asked: str, said: str
) -> dict[str, Any]:
    failed = told.failed and kind == "TOOL"
    return {
        "id": own,
        "traceId": told.trace,
        "startTime": stamp(told.at),
        "endTime": stamp(told.at + timedelta(seconds=1)),
        "projectId": "p",
        "parentObservationId": parent,
        "type": kind,
        "isRootObservation": parent is None,
        "name": "get_order" if kind == "TOOL" else "agent",
        "level": "ERROR" if failed else "DEFAULT",
        "statusMessage": "boom" if failed else None,
        "environment": told.environment,
        "sessionId": told.session,
        "userId": "u",
        "input": asked,
        "output": said,
        "metadata": {},
        "tags": list(told.tags),
        **dict.fromkeys(("modelId", "inputPrice", "outputPrice", "totalPrice")),
    }


def _scores(said: Sequence[Said], query: Query) -> list[Any]:
    session, since = one(query, "sessionId"), one(query, "fromTimestamp")
    traces = one(query, "traceId").split(",") if "traceId" in query else None
    return [
        {
            "id": f"s{told.number}",
            "projectId": "p",
            "name": "user-feedback",
            "dataType": "BOOLEAN",
            "value": told.vote,
            "source": "API",
            "timestamp": stamp(told.voted_at),
            "environment": told.environment,
            "createdAt": stamp(told.voted_at),
            "updatedAt": stamp(told.voted_at),
            "comment": "why",
            "subject": {"kind": "trace", "id": told.trace},
        }
        for told in said
        if told.vote is not None
        and not session
        and (traces is None or told.trace in traces)
        and stamp(told.voted_at) >= since
    ]
