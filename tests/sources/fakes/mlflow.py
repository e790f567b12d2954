"""MLflow's REST API, as a server 3.17 answers."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tests.sources.fakes.said import PAGE, Said, one, page, stamp
from tests.sources.fakes.server import Answer, Query

ENVIRONMENT = {"MLFLOW_TRACKING_TOKEN": "a-secret", "MLFLOW_EXPERIMENT_NAME": "support"}
HEADERS = {"authorization": "Bearer a-secret"}


def fake(said: Sequence[Said]) -> Answer:
    def answer(path: str, query: Query, body: Any) -> Any:
        match path.rpartition("/")[2]:
            case "get-by-name":
                named = one(query, "experiment_name") == "support"
                return {"experiment": {"experiment_id": "7"}} if named else None
            case "search":
                return _search(said, body)
            case "get":
                wanted = one(query, "trace_id").removeprefix("tr-")
                found = next((told for told in said if told.trace == wanted), None)
                return None if found is None else {"trace": _trace(found)}
        return None

    return answer


def _search(said: Sequence[Said], body: Any) -> Any:
    assert body["locations"][0]["mlflow_experiment"]["experiment_id"] == "7"
    assert body["max_results"] <= 500
    condition = body.get("filter") or ""
    since = re.search(r"timestamp_ms >= (\d+)", condition)
    session = re.search(r"metadata\.`mlflow\.trace\.session` = '([^']*)'", condition)
    found = [
        told
        for told in sorted(said, key=lambda told: told.at)
        if (not since or told.at.timestamp() * 1000 >= int(since[1]))
        and (not session or told.session == session[1])
        and ("span.status = 'ERROR'" not in condition or told.failed)
    ]
    rows, token = page(found, body.get("page_token"), PAGE)
    broken = [{"trace_id": 5} for told in rows if told.broken]
    answer = {"traces": [*broken, *(_info(told) for told in rows)]}
    return {**answer, "next_page_token": token} if token else answer


def _info(told: Said) -> dict[str, Any]:
    vote = {
        "assessment_name": "user_feedback",
        "source": {"source_type": "HUMAN"},
        "feedback": {"value": told.vote},
        "rationale": "why",
        "last_update_time": stamp(told.voted_at),
        "valid": True,
    }
    return {
        "trace_id": f"tr-{told.trace}",
        "request_time": stamp(told.at),
        "state": "OK",
        "trace_metadata": {"mlflow.trace.session": told.session} if told.session else {},
        "tags": {"environment": told.environment, **dict(tag.split("=") for tag in told.tags)},
        "assessments": [vote] if told.vote is not None else [],
    }


def _trace(told: Said) -> dict[str, Any]:
    root = told.number.to_bytes(8, "big")
    child = (told.number + 2**32).to_bytes(8, "big")
    asked = {"messages": [{"role": "user", "content": told.question}]}
    spans: list[Any] = [
        _span(told, root, None, "AGENT", asked, told.answer, failed=False),
        _span(told, child, root, "TOOL", {"id": told.number}, "sent", failed=told.failed),
    ]
    broken = [{"name": "a span without its ids"}] if told.broken else []
    return {"trace_info": _info(told), "spans": [*spans, *broken]}


def _span(
    told: Said, own: bytes, parent: bytes | None, kind: str, asked: Any, said: Any, *, failed: bool
) -> dict[str, Any]:
    values = {"mlflow.spanType": kind, "mlflow.spanInputs": asked, "mlflow.spanOutputs": said}
    return {
        "trace_id": base64.b64encode(bytes.fromhex(told.trace)).decode(),
        "span_id": base64.b64encode(own).decode(),
        **({"parent_span_id": base64.b64encode(parent).decode()} if parent else {}),
        "name": "get_order" if kind == "TOOL" else "agent",
        "start_time_unix_nano": _nanoseconds(told.at),
        "end_time_unix_nano": _nanoseconds(told.at) + 10**9,
        "attributes": _pairs(values),
        "events": [{"name": "exception", "attributes": _pairs({"exception.message": "boom"})}]
        if failed
        else [],
        "status": {"code": "STATUS_CODE_ERROR", "message": "boom"}
        if failed
        else {"code": "STATUS_CODE_OK"},
    }


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp()) * 10**9


def _pairs(table: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in table.items()]


def _value(value: Any) -> dict[str, Any]:
    match value:
        case dict():
            return {"kvlist_value": {"values": _pairs(value)}}
        case list():
            return {"array_value": {"values": [_value(item) for item in value]}}
        case int():
            return {"int_value": value}
    return {"string_value": value}
