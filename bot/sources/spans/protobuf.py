"""OTLP as protobuf, decoded into what OTLP's JSON encoding holds; no generated code is needed.

Numbers are those of `opentelemetry/proto/trace/v1/trace.proto` and `common/v1/common.proto`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.sources.spans.span import NotReadable

Kind = str
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
FRAME = struct.Struct(">I")
DEEPEST = 100


class Field(NamedTuple):
    """A field of a message: its name in JSON, what it holds, and whether it repeats."""

    name: str
    kind: Kind
    many: bool = False


MESSAGES: Mapping[str, Mapping[int, Field]] = {
    "request": {1: Field("resourceSpans", "resource_spans", many=True)},
    "resource_spans": {
        1: Field("resource", "resource"),
        2: Field("scopeSpans", "scope_spans", many=True),
    },
    "resource": {1: Field("attributes", "key_value", many=True)},
    "scope_spans": {2: Field("spans", "span", many=True)},
    "span": {
        1: Field("traceId", "bytes"),
        2: Field("spanId", "bytes"),
        4: Field("parentSpanId", "bytes"),
        5: Field("name", "text"),
        7: Field("startTimeUnixNano", "fixed"),
        8: Field("endTimeUnixNano", "fixed"),
        9: Field("attributes", "key_value", many=True),
        10: Field("droppedAttributesCount", "int"),
        11: Field("events", "event", many=True),
        15: Field("status", "status"),
    },
    "event": {2: Field("name", "text"), 3: Field("attributes", "key_value", many=True)},
    "status": {2: Field("message", "text"), 3: Field("code", "int")},
    "key_value": {1: Field("key", "text"), 2: Field("value", "any_value")},
    "any_value": {
        1: Field("stringValue", "text"),
        2: Field("boolValue", "bool"),
        3: Field("intValue", "int"),
        4: Field("doubleValue", "double"),
        5: Field("arrayValue", "array"),
        6: Field("kvlistValue", "kvlist"),
        7: Field("bytesValue", "blob"),
    },
    "array": {1: Field("values", "any_value", many=True)},
    "kvlist": {1: Field("values", "key_value", many=True)},
}


def requests(data: bytes) -> Iterator[dict[str, Any]]:
    """The requests of a file: a single message, or messages with their length before each, as
    the collector's file exporter writes them. Raises `NotReadable` where the bytes are neither."""
    framed = list(_frames(data))
    for message in framed or [data]:
        yield _decoded(message, "request", 0)


def _frames(data: bytes) -> Iterator[bytes]:
    """The length-prefixed messages, or none where the lengths do not add up."""
    places: list[tuple[int, int]] = []
    at = 0
    while at + FRAME.size <= len(data):
        size = FRAME.unpack_from(data, at)[0]
        at += FRAME.size
        places.append((at, at + size))
        at += size
    if at == len(data):
        yield from (data[start:end] for start, end in places)


def _decoded(data: bytes, message: str, depth: int) -> dict[str, Any]:
    if depth > DEEPEST:
        raise NotReadable("its protobuf is nested too deeply")
    known = MESSAGES[message]
    found: dict[str, Any] = {}
    for number, wire, raw in _fields(data):
        field = known.get(number)
        if field is None:
            continue
        value = _value(field.kind, wire, raw, depth)
        if field.many:
            found.setdefault(field.name, []).append(value)
        else:
            found[field.name] = value
    return found


def _value(kind: Kind, wire: int, raw: int | bytes, depth: int) -> Any:
    if isinstance(raw, bytes):
        match kind:
            case "text":
                return raw.decode("utf-8", "replace")
            case "bytes":
                return raw
            case "blob":
                return f"[binary data, {len(raw)} bytes, left out]"
            case "fixed" if wire == FIXED64:
                return int.from_bytes(raw, "little")
            case "double" if wire == FIXED64:
                return struct.unpack("<d", raw)[0]
            case _ if kind in MESSAGES and wire == BYTES:
                return _decoded(raw, kind, depth + 1)
    elif kind == "bool":
        return bool(raw)
    elif kind == "int":
        return raw - 2**64 if raw >= 2**63 else raw
    raise NotReadable("its protobuf is no OTLP trace request")


def _fields(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        value: int | bytes
        if wire == VARINT:
            value, at = _varint(data, at)
        else:
            size = {FIXED64: 8, FIXED32: 4}.get(wire, -1)
            if wire == BYTES:
                size, at = _varint(data, at)
            if size < 0 or at + size > len(data):
                raise NotReadable("its protobuf is cut off or damaged")
            value, at = data[at : at + size], at + size
        yield number, wire, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise NotReadable("its protobuf is cut off or damaged")
