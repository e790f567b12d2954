"""Words that turn a rule round: negation, modality, quantity, order, degree, inclusion, state."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache

import msgspec
from msgspec.structs import replace

from bot.provenance.language import fold, language_of, lower
from bot.provenance.lexicon import alternatives, table

# How far a negation reaches: "must on no account", "darf deswegen nicht", "not a must".
_AHEAD = 40
_BEHIND = 14
_CLAUSE = re.compile(r"[.;:!?\n。；！？]|, ")


class Mark(msgspec.Struct, frozen=True):
    """One word at `text[start:end]` that takes a side.

    `axis` and `pole` are those of `data/polarity.json`: modality (must, required, may, optional,
    forbidden), quantity (all, any, none), exclusivity (only, also), order (first, last), time
    (before, after), degree (higher, lower), inclusion (with, without), state (on, off), negation.
    """

    axis: str
    pole: str
    start: int
    end: int
    text: str


def polarity(text: str) -> tuple[Mark, ...]:
    """The marks of a text in order. A negated one stands with the pole it is turned to.

    "must not" is forbidden, "need not" optional, "not included" without; the negation that did
    it is no mark of its own any more.
    """
    folded = fold(text)
    lowered = lower(folded)
    marks = [
        Mark(*_sides()[match.group()], *match.span(), text[match.start() : match.end()])
        for match in _pattern(language_of(folded)).finditer(lowered)
    ]
    return _turned(marks, lowered)


def opposed(one: tuple[Mark, ...], other: tuple[Mark, ...]) -> tuple[str, ...]:
    """The axes on which two texts take opposite sides, in alphabetical order.

    An axis counts where each has a pole that the other lacks and whose opposite it has;
    `negation` where one text alone is negated.
    """
    pairs = [(a, b) for a in one for b in other if a.axis == b.axis]
    poles_one, poles_other = {m.pole for m in one}, {m.pole for m in other}
    axes = {
        a.axis
        for a, b in pairs
        if frozenset((a.pole, b.pole)) in _opposites()
        and a.pole not in poles_other
        and b.pole not in poles_one
    }
    if ("not" in poles_one) != ("not" in poles_other):
        axes.add("negation")
    return tuple(sorted(axes))


def _turned(marks: list[Mark], lowered: str) -> tuple[Mark, ...]:
    """Each mark with its negation taken in."""
    turns: dict[str, str] = table("polarity")["negated"]
    negations = [mark for mark in marks if mark.axis == "negation"]
    spent: set[int] = set()
    turned: list[Mark] = []
    for mark in marks:
        negation = _negation_of(mark, negations, lowered, spent) if mark.pole in turns else None
        if negation is not None:
            spent.add(negation.start)
        turned.append(replace(mark, pole=turns[mark.pole]) if negation else mark)
    return tuple(mark for mark in turned if mark.axis != "negation" or mark.start not in spent)


def _negation_of(mark: Mark, negations: list[Mark], lowered: str, spent: set[int]) -> Mark | None:
    """The first free negation of the same clause that bears on a mark."""
    reach = _AHEAD if mark.axis == "modality" else 0
    first = bisect_left(negations, mark.start - _BEHIND, key=lambda other: other.end)
    beyond = bisect_right(negations, mark.end + reach, key=lambda other: other.start)
    for other in negations[first:beyond]:
        if other.start in spent:
            continue
        behind, ahead = mark.start - other.end, other.start - mark.end
        gap = lowered[other.end : mark.start] if behind >= 0 else lowered[mark.end : other.start]
        near = 0 <= behind <= _BEHIND or 0 <= ahead <= reach
        if near and not _CLAUSE.search(gap):
            return other
    return None


@cache
def _sides() -> dict[str, tuple[str, str]]:
    """Word -> axis and pole; of two the one that stands first in the data."""
    sides: dict[str, tuple[str, str]] = {}
    for axis, poles in table("polarity")["axes"].items():
        for pole, languages in poles.items():
            for words in languages.values():
                for word in words:
                    sides.setdefault(word, (axis, pole))
    return sides


@cache
def _opposites() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in table("polarity")["opposites"])


@cache
def _pattern(language: str | None) -> re.Pattern[str]:
    """The words of a language; of all where it is not known.

    A few words without kana may be Japanese as well as Chinese.
    """
    codes = ("zh", "ja") if language == "zh" else (language,)
    words = [
        word
        for poles in table("polarity")["axes"].values()
        for languages in poles.values()
        for code, listed in languages.items()
        if language is None or code in codes
        for word in listed
    ]
    latin = alternatives([word for word in words if word[0] < "⺀" and word != "n't"])
    other = alternatives([word for word in words if word[0] >= "⺀"])
    joined = rf"|{other}" if other else ""
    return re.compile(rf"(?<![a-zß-ɏ'])(?:{latin or '(?!)'})(?![a-zß-ɏ])|n't(?![a-z]){joined}")
