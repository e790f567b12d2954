"""Langfuse's public API before server v4, in the shapes of its published client 3.15."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.sources.fakes import langfuse
from tests.sources.fakes.said import PAGE, Said, one, stamp
from tests.sources.fakes.server import Answer, Query

ENVIRONMENT, HEADERS = langfuse.ENVIRONMENT, langfuse.HEADERS
TRACES = "/api/public/traces"
# What is always there, and here always empty.
OF_TRACE = ("release", "version")
OF_OBSERVATION = (
    *("model", "modelId", "modelParameters", "promptId", "promptName", "promptVersion", "version"),
    *("inputPrice", "outputPrice", "totalPrice", "calculatedInputCost", "calculatedOutputCost"),
    *("calculatedTotalCost", "completionStartTime", "latency", "timeToFirstToken"),
)
OF_SCORE = ("authorUserId", "metadata", "configId", "queueId")


def fake(said: Sequence[Said]) -> Answer:
    def answer(path: str, query: Query, _: Any) -> Any:
        if path == TRACES:
            return _listing(said, query)
        wanted = path.removeprefix(f"{TRACES}/")
        return next((_whole(told) for told in said if told.trace == wanted), None)

    return answer


def _listing(said: Sequence[Said], query: Query) -> dict[str, Any]:
    assert one(query, "orderBy") == "timestamp.asc"
    session, since, environment = (
        one(query, key) for key in ("sessionId", "fromTimestamp", "environment")
    )
    found = [
        told
        for told in sorted(said, key=lambda told: told.at)
        if (not session or told.session == session)
        and stamp(told.at) >= since
        and (not environment or told.environment == environment)
    ]
    number = int(one(query, "page", "1"))
    rows = found[(number - 1) * PAGE : number * PAGE]
    broken = [{"id": 5} for told in rows if told.broken]
    meta = {
        "page": number,
        "limit": PAGE,
        "totalItems": len(found),
        "totalPages": -(-len(found) // PAGE),
    }
    ids = {"observations": ["an id"], "scores": ["an id"]}
    return {"data": [*broken, *({**_trace(told), **ids} for told in rows)], "meta": meta}


def _trace(told: Said) -> dict[str, Any]:
    return {
        "id": told.trace,
        "timestamp": stamp(told.at),
        "name": "agent",
        "sessionId": told.session,
        "userId": "u",
        "input": told.question,
        "output": told.answer,
        "metadata": {},
        "tags": list(told.tags),
        "environment": told.environment,
        "public": False,
        "htmlPath": "/",
        **dict.fromkeys(OF_TRACE),
    }


def _whole(told: Said) -> dict[str, Any]:
    tool, _root, *broken = langfuse._rows(told)
    # Inputs and outputs are JSON here, and no observation names its session.
    observation = {
        **{key: value for key, value in tool.items() if key != "sessionId"},
        "input": {"id": told.number},
        "parentObservationId": None,
        "isRootObservation": None,
        "usage": {"input": 1, "output": 1, "total": 2, "unit": "TOKENS"},
        **dict.fromkeys(OF_OBSERVATION),
        "usageDetails": {},
        "costDetails": {},
    }
    return {**_trace(told), "observations": [observation, *broken], "scores": _scores(told)}


def _scores(told: Said) -> list[Any]:
    if told.vote is None:
        return []
    return [
        {
            "id": f"s{told.number}",
            "traceId": told.trace,
            "name": "user-feedback",
            "dataType": "BOOLEAN",
            "value": float(told.vote),
            "stringValue": str(told.vote),
            "environment": told.environment,
            "source": "API",
            "timestamp": stamp(told.voted_at),
            "createdAt": stamp(told.voted_at),
            "updatedAt": stamp(told.voted_at),
            "comment": "why",
            **dict.fromkeys(OF_SCORE),
        }
    ]
