"""Long texts cut where they matter least, and every cut said with its length."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]{3,}|\d+", re.UNICODE)


def clip(text: str, length: int, about: str = "") -> str:
    """At most about `length` characters: the start, and the parts that speak of `about`.

    What is left out stands there as `[… 1200 characters left out …]`.
    """
    if len(text) <= length:
        return text
    lines = text.splitlines(keepends=True) or [text]
    wanted = _words(about)
    order = sorted(range(len(lines)), key=lambda n: (n != 0, -len(wanted & _words(lines[n])), n))
    kept: set[int] = set()
    room = length
    for number in order:
        if len(lines[number]) <= room:
            kept.add(number)
            room -= len(lines[number])
    if not kept:
        return f"{text[:length]}{_left_out(len(text) - length)}"
    return _joined(lines, kept)


def _joined(lines: list[str], kept: set[int]) -> str:
    out: list[str] = []
    missing = 0
    for number, line in enumerate(lines):
        if number in kept:
            if missing:
                out.append(_left_out(missing) + "\n")
                missing = 0
            out.append(line)
        else:
            missing += len(line)
    return "".join(out) + (_left_out(missing) if missing else "")


def _left_out(count: int) -> str:
    return f"[… {count} characters left out …]"


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
