"""Sentence boundaries in any script, by punctuation alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

# "seit dem 1. Januar": where months have a capital, an ordinal before one ends nothing.
_MONTH = (
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August"
    r"|September|Oktober|November|Dezember)\b"
)
# A full stop ends a sentence only before white space and something that can open one; a
# single letter, a number or a common short form before it means an abbreviation or a list mark.
# Behind the second mark of a run a match ends as it would have there: trying every one of a
# thousand exclamation marks would read the run a thousand times.
_END = re.compile(
    r"(?<![.!?…]{2})(?<!\b[^\W\d_])(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\bNr)(?<!\bNo)(?<!\bz\.B)(?<!\bca)"
    rf"(?!(?<=\d)\.\s+{_MONTH})"
    r"[.!?…]+[\"'»”)\]*_`]*(?=\s+[\"'«„“(\[*_`¿¡-]*[^\W_a-zà-öø-ÿ])"
    r"|[。！？]+[」』）]*"
)
_MARKS = re.compile(r"[\s\d.()§#-]*")


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Offsets of the sentences of `text[start:end]`, white space around them left out."""
    stop = len(text) if end is None else end
    begin = marked = start
    for match in _END.finditer(text, start, stop):
        # All from `begin` to `marked` is known to be marks: no part is looked at twice.
        if _MARKS.fullmatch(text, marked, match.end()):
            marked = match.end()
            continue
        yield from _trimmed(text, begin, match.end())
        begin = marked = match.end()
    yield from _trimmed(text, begin, stop)


def split(text: str) -> tuple[str, ...]:
    """The sentences of a text that someone said, lines apart."""
    found: list[str] = []
    for line in text.splitlines():
        found.extend(line[begin:end] for begin, end in sentences(line))
    return tuple(found)


def _trimmed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if end > begin:
        yield begin, end
