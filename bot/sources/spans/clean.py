"""A span without what no reader wants: blobs, halves of characters, broken JSON, endless texts."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from msgspec.structs import replace

from bot.sources.spans.span import Event, Span

LONGEST_TEXT = 262_144
KEPT_HEAD, KEPT_TAIL = 196_608, 32_768
DEEPEST = 64
LARGEST_INT = 2**63
DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)[^,\s]{0,100};base64,([A-Za-z0-9+/=_-]{64,})")
BLOB = re.compile(r"[A-Za-z0-9+/_-]{1024,}={0,2}")
SURROGATE = re.compile(r"[\ud800-\udfff]")
CLOSERS = {"{": "}", "[": "]"}


def clean(span: Span) -> Span:
    """The span with every value fit to be kept; its notes tell what was left out or mended."""
    notes: set[str] = set(span.notes)
    events = tuple(Event(e.name, _table(e.attributes, notes)) for e in span.events)
    if span.start is not None and span.end is not None and span.end < span.start:
        notes.add("bad_timestamps")
    return replace(
        span,
        attributes=_table(span.attributes, notes),
        resource=_table(span.resource, notes),
        message=_text(span.message, notes),
        name=_text(span.name, notes),
        events=events,
        notes=tuple(sorted(notes)),
    )


def _table(attributes: dict[str, Any], notes: set[str]) -> dict[str, Any]:
    return {_text(key, notes): _attribute(value, notes) for key, value in attributes.items()}


def _attribute(value: Any, notes: set[str]) -> Any:
    """A text that holds JSON is cleaned inside, so that it still is JSON afterwards."""
    if not isinstance(value, str) or value.lstrip()[:1] not in CLOSERS:
        return _value(value, notes, 0)
    try:
        inner = json.loads(value)
    except RecursionError:
        return _text(value, notes)
    except ValueError:
        mended = _mended(value)
        if mended is None:
            return _text(value, notes)
        notes.add("truncated_attribute")
        inner, value = mended, json.dumps(mended, ensure_ascii=False)
    kept = _value(inner, notes, 0)
    return value if kept == inner else json.dumps(kept, ensure_ascii=False)


def _value(value: Any, notes: set[str], depth: int) -> Any:
    match value:
        case str():
            return _text(value, notes)
        case float() if not math.isfinite(value):
            return str(value)
        case int() if not -LARGEST_INT <= value < LARGEST_INT:
            return str(value)
        case dict() | list() if depth >= DEEPEST:
            notes.add("nesting_cut")
            return "[nested too deeply; left out]"
        case dict():
            return {
                _text(str(key), notes): _value(item, notes, depth + 1)
                for key, item in value.items()
            }
        case list():
            return [_value(item, notes, depth + 1) for item in value]
        case _:
            return value


def _text(text: str, notes: set[str]) -> str:
    if SURROGATE.search(text):
        notes.add("broken_characters")
        text = SURROGATE.sub("\ufffd", text)
    if len(text) > 64:
        text = _without_blobs(text, notes)
    if len(text) > LONGEST_TEXT:
        notes.add("text_cut")
        left = len(text) - KEPT_HEAD - KEPT_TAIL
        text = f"{text[:KEPT_HEAD]}\n[{left} characters left out]\n{text[-KEPT_TAIL:]}"
    return text


def _without_blobs(text: str, notes: set[str]) -> str:
    def noted(media: str, size: int) -> str:
        notes.add("media_left_out")
        return f"[{media}, about {size * 3 // 4} bytes, left out]"

    text = DATA_URI.sub(lambda found: noted(found[1], len(found[2])), text)
    return BLOB.sub(lambda f: noted("binary data", len(f[0])) if _is_blob(f[0]) else f[0], text)


def _is_blob(text: str) -> bool:
    """Binary data in base64 uses all of its letters; a long run of one word does not."""
    return len(set(text)) >= 32 and any(c.isdigit() for c in text)


def _mended(text: str) -> Any:
    """JSON that was cut off, closed where it ends; None where that gives no JSON.

    Nothing is made up: a name without a value and a half-written literal are dropped.
    """
    for end in _ends(text):
        try:
            return json.loads(text[:end] + _closing(text[:end]))
        except (ValueError, RecursionError):
            continue
    return None


def _ends(text: str) -> list[int]:
    """Where a cut text may still be whole: its end, then the last few commas."""
    commas = [found.start() for found in re.finditer(",", text[-4096:])]
    start = max(0, len(text) - 4096)
    return [len(text), len(text) - 1, *(start + comma for comma in reversed(commas[-8:]))]


def _closing(text: str) -> str:
    """What closes the open text, lists and objects."""
    open_: list[str] = []
    inside = escaped = False
    for char in text:
        if inside:
            inside = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            inside = True
        elif char in CLOSERS:
            open_.append(CLOSERS[char])
        elif open_ and char == open_[-1]:
            open_.pop()
    return ('"' if inside else "") + "".join(reversed(open_))
