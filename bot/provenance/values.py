"""Typed values in a text: what it states, in a form that does not depend on its spelling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from bot.provenance.addresses import addresses, phones
from bot.provenance.bounds import bounded
from bot.provenance.clock import times
from bot.provenance.codes import identifiers, members, names, versions
from bot.provenance.dates import dates, years
from bot.provenance.language import fold, language_of
from bot.provenance.ordinals import ordinals
from bot.provenance.phrases import phrases
from bot.provenance.quantities import quantities, rates
from bot.provenance.text import Text, prepared
from bot.provenance.value import Value, comparable, contradicts, magnitude, same

_PORTION = 2_000
_SENTENCE = 400  # longer texts are not kept, so that memory stays flat

__all__ = ["Value", "comparable", "contradicts", "magnitude", "same", "values"]


def values(text: str) -> tuple[Value, ...]:
    """The values of a text in order of position, none overlapping another.

    Where readings overlap, the more specific kind wins: an address over a date over a number.
    A sentence is remembered, since the same ones are asked about again and again.
    """
    return _remembered(text) if len(text) <= _SENTENCE else _read(text)


@lru_cache(maxsize=16_384)
def _remembered(sentence: str) -> tuple[Value, ...]:
    return _read(sentence)


def _read(text: str) -> tuple[Value, ...]:
    language = language_of(fold(text))
    return tuple(
        replace(value, start=start + value.start, end=start + value.end)
        for start, end in _portions(text)
        for value in _portion(text[start:end], language)
    )


def _portions(text: str) -> Iterator[tuple[int, int]]:
    """The text in parts that end at a line's end, else between words, else anywhere.

    Looking for a value can take as long as the square of the text's length.
    """
    start = 0
    while start < len(text):
        end = min(start + _PORTION, len(text))
        if end < len(text):
            breaks = (text.rfind(mark, start + _PORTION // 2, end) for mark in "\n ")
            end = next((at + 1 for at in breaks if at >= 0), end)
        yield start, end
        start = end


def _portion(text: str, language: str | None) -> tuple[Value, ...]:
    read = prepared(text, language)
    taken = bytearray(len(text))
    found: list[Value] = []
    for value in _candidates(read):
        if value.start < value.end and not any(taken[value.start : value.end]):
            taken[value.start : value.end] = b"\x01" * (value.end - value.start)
            found.append(value)
    found.sort(key=lambda value: value.start)
    return bounded(tuple(found), read.lowered)


def _candidates(text: Text) -> Iterator[Value]:
    """Every reading, in order of claim."""
    yield from addresses(text)
    yield from dates(text)
    yield from times(text)
    if text.digits:
        yield from phones(text)
        yield from versions(text)
    yield from ordinals(text)
    yield from phrases(text)
    yield from rates(text)
    measured = tuple(quantities(text))
    yield from (value for value in measured if value.kind != "number")
    yield from members(text)
    yield from identifiers(text)
    if text.digits:
        yield from years(text)
    yield from measured
    yield from names(text)
