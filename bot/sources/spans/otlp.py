"""OTLP: one `ExportTraceServiceRequest` as JSON, the form of collectors and file exporters.

Written by OpenTelemetry's JSON encoding (hexadecimal ids, 64-bit numbers as texts) or by plain
protobuf-to-JSON (base64 ids, snake_case names); both are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.sources.spans.ids import parent_id, span_id, trace_id
from bot.sources.spans.span import Event, NotReadable, Span, Status, Vote
from bot.sources.spans.votes import score

STATUS: Mapping[Any, Status] = {
    1: "ok",
    2: "error",
    "STATUS_CODE_OK": "ok",
    "STATUS_CODE_ERROR": "error",
    "OK": "ok",
    "ERROR": "error",
}
SCALARS = ("stringValue", "boolValue", "doubleValue", "bytesValue")
HUMP = re.compile(r"_([a-z])")


def read(row: Any) -> Iterator[Span | Vote]:
    """The spans of one request, or the vote of a line of feedback beside them."""
    if isinstance(row, dict) and not row.keys() & {"resourceSpans", "resource_spans"}:
        yield _beside(row)
        return
    refused: list[NotReadable] = []
    for resource, spans in _batches(row):
        for span in spans:
            try:
                yield span_of(span if isinstance(span, dict) else {}, resource)
            except NotReadable as problem:
                refused.append(problem)
    if refused:
        raise refused[0]


def _beside(row: dict[str, Any]) -> Vote:
    """A vote that was kept beside the traces, since OTLP has no place for it."""
    ids = [row.get(key) for key in ("span_id", "trace_id", "session_id")]
    if not any(ids) or not row.keys() & {"label", "score", "comment"}:
        raise NotReadable("it holds neither `resourceSpans` nor a vote with an id")
    told = {key: row[key] for key in ("label", "comment", "source", "timestamp") if row.get(key)}
    return Vote(
        str(row.get("name") or ""),
        score=score(row.get("score")),
        span_id=span_id(ids[0]) or None,
        trace_id=trace_id(ids[1]) or None,
        session_id=str(ids[2]) if ids[2] is not None else None,
        **{key: str(value) for key, value in told.items()},
    )


def _batches(row: Any) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    if not isinstance(row, dict):
        raise NotReadable("it is no object with `resourceSpans`")
    for batch in _list(row, "resourceSpans"):
        resource = batch.get("resource") if isinstance(batch, dict) else None
        attributes = _attributes(resource.get("attributes")) if isinstance(resource, dict) else {}
        for key in ("scopeSpans", "instrumentationLibrarySpans"):
            for scope in _list(batch, key):
                yield attributes, _list(scope, "spans")


def _list(holder: Any, key: str) -> list[Any]:
    if not isinstance(holder, dict):
        return []
    value = holder.get(key, holder.get(re.sub("([A-Z])", lambda m: f"_{m[1].lower()}", key)))
    return value if isinstance(value, list) else []


def span_of(row: dict[str, Any], resource: dict[str, Any]) -> Span:
    """One span with the attributes of the resource that made it.

    Raises `NotReadable` where it lacks its ids.
    """
    span = {_camel(key): value for key, value in row.items()}
    if not span.get("traceId") or not span.get("spanId"):
        raise NotReadable("a span lacks its `traceId` or `spanId`")
    status = span.get("status")
    status = status if isinstance(status, dict) else {}
    events = [event for event in _list(span, "events") if isinstance(event, dict)]
    dropped = span.get("droppedAttributesCount")
    return Span(
        trace_id(span.get("traceId")),
        span_id(span.get("spanId")),
        str(span.get("name") or ""),
        parent_id(span.get("parentSpanId")),
        _integer(span.get("startTimeUnixNano")),
        _integer(span.get("endTimeUnixNano")),
        STATUS.get(status.get("code"), "unset"),
        str(status.get("message") or ""),
        _attributes(span.get("attributes")),
        resource,
        tuple(Event(str(e.get("name") or ""), _attributes(e.get("attributes"))) for e in events),
        notes=("attributes_dropped",) if dropped else (),
    )


def _camel(name: str) -> str:
    return HUMP.sub(lambda found: found[1].upper(), name)


def _attributes(listed: Any) -> dict[str, Any]:
    pairs = listed if isinstance(listed, list) else []
    known = (pair for pair in pairs if isinstance(pair, dict) and isinstance(pair.get("key"), str))
    return {pair["key"]: _any_value(pair.get("value")) for pair in known}


def _any_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    held = {_camel(key): item for key, item in value.items() if item is not None}
    if "intValue" in held:
        return _integer(held["intValue"], zero=0)
    if isinstance(held.get("arrayValue"), dict):
        return [_any_value(item) for item in _list(held["arrayValue"], "values")]
    if isinstance(held.get("kvlistValue"), dict):
        return _attributes(held["kvlistValue"].get("values"))
    return next((held[key] for key in SCALARS if key in held), None)


def _integer(value: Any, zero: int | None = None) -> int | None:
    """A 64-bit number that JSON writes as a text; `zero` where it is 0 or no number."""
    try:
        return int(value) or zero
    except (TypeError, ValueError, OverflowError):
        return zero
