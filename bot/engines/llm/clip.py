"""Long texts cut where they matter least, and every cut said with its length.

What is cut is cleaned before: no rule knows half a secret.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from math import fsum

from bot.engines.llm.fence import clean

# Hardly longer than the mark that would stand for it.
SHORT = 80
_WORD = re.compile(r"[^\W_]{3,}|\d+", re.UNICODE)


def clip(text: str, length: int, about: str = "") -> str:
    """At most about `length` characters: the start, and the parts that speak of `about`.

    What is left out stands there as `[… 1200 characters left out …]`.
    """
    if len(text) <= length or len(text := clean(text)) <= length:
        return text
    lines, kept = _chosen(text, length, about)
    if not kept:
        return f"{text[:length]}{_left_out(len(text) - length)}"
    return _joined(lines, kept)


def excerpt(text: str, length: int, about: str) -> str:
    """The same of a file that will be edited: its most telling lines, by words that few of them
    have, and what is hardly longer than the mark of its cut, so that paragraphs stay."""
    if len(text) <= length or len(text := clean(text)) <= length:
        return text
    lines = text.splitlines(keepends=True)
    words = [_words(line) for line in lines]
    counts = Counter(word for found in words for word in found)
    wanted = _words(about)
    # Exact, so that the order of a set decides no tie.
    telling = [fsum(1 / counts[word] for word in found & wanted) for found in words]
    order = sorted(range(len(lines)), key=lambda n: (n != 0, -telling[n], n))
    kept = _fitting(lines, order, length)
    gap: list[int] = []
    for number in range(len(lines)):
        if number in kept:
            gap.clear()
        else:
            gap.append(number)
        if number + 1 in kept and sum(len(lines[n]) for n in gap) <= SHORT:
            kept.update(gap)
    return _joined(lines, kept)


def ends(text: str, length: int) -> str:
    """At most about `length` characters of one line: how it begins, and more of how it ends, since
    a query says last what it filters by."""
    if len(text) <= length or len(text := clean(text)) <= length:
        return text
    first = length // 3
    return f"{text[:first]} … {text[first - length :]}"


def window(text: str, length: int, about: str) -> str:
    """At most about `length` characters of one line: the stretch that speaks most of `about`."""
    if len(text) <= length or len(text := clean(text)) <= length:
        return text
    wanted = _words(about)
    hits = [match.start() for match in _WORD.finditer(text) if match[0].casefold() in wanted]
    starts = [0, *(max(0, min(hit - length // 4, len(text) - length)) for hit in hits)]
    start = max(
        starts, key=lambda at: (bisect_left(hits, at + length) - bisect_left(hits, at), -at)
    )
    cut = text[start : start + length]
    return f"{'…' if start else ''}{cut}{'…' if start + length < len(text) else ''}"


def _chosen(text: str, length: int, about: str) -> tuple[list[str], set[int]]:
    """The lines, and the numbers of those that have room: the first, then what speaks of it."""
    lines = text.splitlines(keepends=True) or [text]
    wanted = _words(about)
    order = sorted(range(len(lines)), key=lambda n: (n != 0, -len(wanted & _words(lines[n])), n))
    return lines, _fitting(lines, order, length)


def _fitting(lines: list[str], order: list[int], room: int) -> set[int]:
    """The numbers of the lines that have room, in this order."""
    kept: set[int] = set()
    for number in order:
        if len(lines[number]) <= room:
            kept.add(number)
            room -= len(lines[number])
    return kept


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
