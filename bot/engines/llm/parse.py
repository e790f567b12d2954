"""JSON out of what a model wrote: fences and prose around it, trailing commas, a cut-off end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

MOST_STARTS = 40
MOST_CUTS = 60
_CLOSING = {"{": "}", "[": "]"}


def json_object(text: str) -> dict[str, Any] | None:
    """The first JSON object that can be made out, or None.

    Reasoning before `</think>` is left out; raw line breaks inside strings are taken as such.
    """
    text = text.rpartition("</think>")[2]
    starts = [at for at, char in enumerate(text) if char == "{"][:MOST_STARTS]
    for start in starts:
        for candidate in _candidates(text[start:]):
            found = _object(candidate)
            if found:
                return found
    return None


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text, strict=False, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _candidates(text: str) -> Iterator[str]:
    """The object that starts the text; where it never ends, closed at each comma from the last."""
    out: list[str] = []
    stack: list[str] = []
    cuts: list[tuple[int, str]] = []
    inside = escaped = False
    for char in text:
        if inside:
            inside = escaped or char != '"'
            escaped = char == "\\" and not escaped
            out.append(char)
            continue
        if char in "}]":
            if not stack or stack.pop() != char:
                return
            _drop_comma(out)
        elif char == ",":
            cuts.append((len(out), "".join(reversed(stack))))
        inside = char == '"'
        out.append(char)
        if char in _CLOSING:
            stack.append(_CLOSING[char])
        if not stack:
            yield "".join(out)
            return
    yield from _mended("".join(out), '"' if inside else "", stack, cuts)


def _mended(text: str, quote: str, stack: list[str], cuts: list[tuple[int, str]]) -> Iterator[str]:
    closing = "".join(reversed(stack))
    yield text.removesuffix("\\") + quote + closing
    for length, closing_then in cuts[: -MOST_CUTS - 1 : -1]:
        yield text[:length] + closing_then


def _drop_comma(out: list[str]) -> None:
    end = len(out)
    while end and out[end - 1].isspace():
        end -= 1
    if end and out[end - 1] == ",":
        del out[end - 1]
