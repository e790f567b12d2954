"""Typed values in a text: what it states, in a form that does not depend on its spelling."""

from __future__ import annotations

from collections.abc import Iterator

from bot.provenance.addresses import addresses, phones
from bot.provenance.bounds import bounded
from bot.provenance.clock import times
from bot.provenance.codes import identifiers, members, names, versions
from bot.provenance.dates import dates, years
from bot.provenance.language import fold, language_of
from bot.provenance.ordinals import ordinals
from bot.provenance.phrases import phrases
from bot.provenance.quantities import quantities, rates
from bot.provenance.value import Value, comparable, contradicts, magnitude, same

__all__ = ["Value", "comparable", "contradicts", "magnitude", "same", "values"]


def values(text: str) -> tuple[Value, ...]:
    """The values of a text in order of position, none overlapping another.

    Where readings overlap, the more specific kind wins: an address over a date over a number.
    """
    folded = fold(text)
    taken = bytearray(len(text))
    found: list[Value] = []
    for value in _candidates(text, folded):
        if value.start < value.end and not any(taken[value.start : value.end]):
            taken[value.start : value.end] = b"\x01" * (value.end - value.start)
            found.append(value)
    found.sort(key=lambda value: value.start)
    return bounded(tuple(found), text, folded)


def _candidates(text: str, folded: str) -> Iterator[Value]:
    """Every reading, in order of claim."""
    language = language_of(folded)
    yield from addresses(text, folded)
    yield from dates(text, folded, language)
    yield from times(text, folded)
    yield from phones(text, folded)
    yield from versions(text, folded)
    yield from ordinals(text, folded)
    yield from phrases(text, folded)
    yield from rates(text, folded, language)
    measured = tuple(quantities(text, folded, language))
    yield from (value for value in measured if value.kind != "number")
    yield from members(text, folded)
    yield from identifiers(text, folded)
    yield from years(text, folded)
    yield from measured
    yield from names(text, folded)
