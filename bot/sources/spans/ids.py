"""Trace and span ids in one form, however an exporter wrote them."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

TRACE_BYTES, SPAN_BYTES = 16, 8
HEX = re.compile(r"[0-9a-fA-F]+")


def trace_id(value: Any) -> str:
    """Lower-case hexadecimal where the value is 16 bytes in any writing, else the text itself."""
    return _normal(value, TRACE_BYTES)


def span_id(value: Any) -> str:
    """Lower-case hexadecimal where the value is 8 bytes in any writing, else the text itself."""
    return _normal(value, SPAN_BYTES)


def parent_id(value: Any) -> str | None:
    """The parent's span id; None for a root, which some exporters write as zeros."""
    found = _normal(value, SPAN_BYTES)
    return found if found.strip("0") else None


def _normal(value: Any, size: int) -> str:
    if isinstance(value, list) and all(isinstance(n, int) and 0 <= n < 256 for n in value):
        return bytes(value).hex()
    if isinstance(value, bytes):
        return value.hex()
    text = str(value).strip().removeprefix("tr-") if value is not None else ""
    if HEX.fullmatch(text) and len(text) == size * 2:
        return text.lower()
    return _of_base64(text, size) or text


def _of_base64(text: str, size: int) -> str | None:
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw.hex() if len(raw) == size else None
