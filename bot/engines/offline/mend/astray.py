"""Entries of the synonym map that led a search elsewhere than to the document that answers.

Who searches for a word that the map knows in another sense is shown what that other sense means.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from bot.context.search import Index
from bot.context.words import CJK, folded, stems

HELD = 0.5  # share of an entry's other words, from which a document knows the entry's sense
_APART = re.compile(r"[\W_]+")
_IDEOGRAPHS = re.compile(rf"[{CJK}]")


class Said(msgspec.Struct, frozen=True):
    """A word of the map that was said, as the map writes it, and the stems of each of the other
    words that its entry stands for."""

    term: str
    unit: int
    others: tuple[frozenset[str], ...]

    def held(self, words: AbstractSet[str]) -> float:
        """The share of the other words that a text has whole."""
        return sum(group <= words for group in self.others) / (len(self.others) or 1)

    def leads_away(self, words: AbstractSet[str]) -> bool:
        """Whether a text does not know the sense that the entry has."""
        return bool(self.others) and self.held(words) < HELD


class Text:
    """A text that is asked for words, however they are parted: `write off`, `writeoff`."""

    def __init__(self, text: str) -> None:
        self._stems = f" {' '.join(stems(text))} "
        self._parts = f" {' '.join(_APART.split(folded(text)))} "
        self._plain = folded(text)

    def holds(self, term: str) -> bool:
        """Whether a term stands in the text, not inside another word."""
        if _IDEOGRAPHS.search(term):
            return folded(term) in self._plain
        own = " ".join(stems(term))
        joined = _APART.sub("", folded(term))
        return bool(own) and (f" {own} " in self._stems or f" {joined} " in self._parts)

    def begins(self, term: str) -> bool:
        """Whether the text names a term before anything else."""
        return self._stems.startswith(f" {' '.join(stems(term))} ")


def said(index: Index, texts: Sequence[Text]) -> tuple[Said, ...]:
    """The words of the map that stand in some texts; one inside a longer one is left out."""
    found = []
    for number in index.terms:
        terms = index.units[number].terms
        for term in terms:
            if any(text.holds(term) for text in texts):
                groups = tuple(frozenset(stems(t)) for t in terms)
                own = frozenset(stems(term))
                others = tuple(g for g in groups if g and not g <= own and not own <= g)
                found.append(Said(term, number, others))
    keys = [frozenset(stems(entry.term)) for entry in found]
    return tuple(entry for entry, own in zip(found, keys, strict=True) if not _inner(own, keys))


def _inner(own: frozenset[str], keys: Sequence[frozenset[str]]) -> bool:
    return any(own < other for other in keys)
