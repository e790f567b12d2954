"""Spans as OTLP writes them, in few words, and OTLP's protobuf encoding of them."""

from __future__ import annotations

import json
import struct
from typing import Any

from bot.sources.spans.protobuf import FRAME, MESSAGES

TRACE = "a" * 32
START = 1_796_030_540_000_000_000
MILLISECOND = 1_000_000


def span(
    name: str,
    attributes: dict[str, Any] | None = None,
    *,
    span_id: str | None = None,
    parent: str | None = None,
    trace: str = TRACE,
    at: int = 0,
    lasted: int = 5,
    error: str | None = None,
    events: dict[str, dict[str, Any]] | list[tuple[str, dict[str, Any]]] | None = None,
) -> dict[str, Any]:
    """A span that starts `at` milliseconds after START; its id is made of its name and time."""
    told = events.items() if isinstance(events, dict) else events or []
    return {
        "traceId": trace,
        "spanId": span_id or identity(name, at),
        **({"parentSpanId": parent} if parent else {}),
        "name": name,
        "startTimeUnixNano": str(START + at * MILLISECOND),
        "endTimeUnixNano": str(START + (at + lasted) * MILLISECOND),
        "attributes": pairs(attributes or {}),
        "events": [{"name": event, "attributes": pairs(held)} for event, held in told],
        "status": {"code": 2, "message": error} if error else {"code": 1},
    }


def identity(name: str, at: int = 0) -> str:
    return (name.encode().hex() + f"{at:08x}")[-16:].rjust(16, "1")


def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": any_value(value)} for key, value in attributes.items()]


def any_value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [any_value(item) for item in value]}}
        case dict():
            return {"kvlistValue": {"values": pairs(value)}}
        case _:
            return {"stringValue": value}


def request(*spans: dict[str, Any], resource: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": pairs(resource or {})},
                "scopeSpans": [{"scope": {"name": "t"}, "spans": list(spans)}],
            }
        ]
    }


def lines(*requests: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in requests)


def protobuf(value: dict[str, Any], message: str = "request") -> bytes:
    """The JSON form of a message in protobuf."""
    encoded = b""
    for number, field in MESSAGES[message].items():
        held = value.get(field.name)
        for item in (held or []) if field.many else [held]:
            if item is not None:
                encoded += _field(number, field.kind, item)
    return encoded


def framed(*requests: dict[str, Any]) -> bytes:
    """Messages with their length before each, as the collector's file exporter writes them."""
    encoded = [protobuf(item) for item in requests]
    return b"".join(FRAME.pack(len(one)) + one for one in encoded)


def _field(number: int, kind: str, value: Any) -> bytes:
    match kind:
        case "int" | "bool":
            return _varint(number << 3) + _varint(int(value) % 2**64)
        case "fixed":
            return _varint(number << 3 | 1) + int(value).to_bytes(8, "little")
        case "double":
            return _varint(number << 3 | 1) + struct.pack("<d", value)
        case "text":
            raw = value.encode()
        case "bytes" | "blob":
            raw = bytes.fromhex(value)
        case _:
            raw = protobuf(value, kind)
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        encoded.append(low | (0x80 if value else 0))
        if not value:
            return bytes(encoded)
