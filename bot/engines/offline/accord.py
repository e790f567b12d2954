"""Whether two units of a repository say the same, or different things of one matter."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.context.search import Index, meanings
from bot.engines.offline.claims import Claims, weight
from bot.provenance.value import Value, comparable, nearness, same

AROUND = 40  # characters on both sides of a value that say what it is the value of
ENOUGH = 3  # concepts from which a comparison by concepts alone is as good as one by stems


class Slot(msgspec.Struct, frozen=True):
    """A value of each of two units that differ, and how alike (0 to 1) is what surrounds them."""

    first: Value
    second: Value
    alike: float

    @property
    def size(self) -> float:
        """How surely the two are rival values of one thing (0 to 1)."""
        return self.alike * weight(self.first) * nearness(self.first, self.second)


class Accord(msgspec.Struct, frozen=True):
    """Two units: the share of the first's words that the second has (`holds`) and the reverse
    (`held`), from 0 to 1 by rarity, their rival values, and whether they have a value in common.
    """

    holds: float
    held: float
    slots: tuple[Slot, ...]
    shares: bool

    @property
    def clash(self) -> float:
        """How surely the two differ in the value of one thing (0 to 1)."""
        return max((slot.size for slot in self.slots), default=0.0)

    @property
    def echo(self) -> float:
        """How surely the second says what the first says (0 to 1)."""
        return self.holds * (1 - self.clash) if self.shares or not self.slots else 0.0


class Accords:
    """The accords of one repository's units, each made when it is first asked for."""

    def __init__(self, index: Index, claims: Sequence[Claims]) -> None:
        self._index, self._claims = index, claims
        self._known: dict[tuple[int, int], Accord] = {}
        self._clashes: dict[tuple[int, int], tuple[Slot, ...]] = {}
        self._common: dict[tuple[int, int], dict[int, float]] = {}
        self._terms: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        self._contexts: dict[tuple[int, int], tuple[frozenset[str], frozenset[str]]] = {}

    def of(self, first: int, second: int) -> Accord:
        """The accord of two units, by their numbers."""
        key = (first, second)
        if key not in self._known:
            one, two = self._of(first), self._of(second)
            own, other = self._claims[first].values, self._claims[second].values
            shares = any(same(v, w) for v in own for w in other)
            slots = self.slots(first, second)
            self._known[key] = Accord(self._share(one, two), self._share(two, one), slots, shares)
        return self._known[key]

    def slots(self, first: int, second: int) -> tuple[Slot, ...]:
        """The rival values of two units: comparable ones that only one of the two states."""
        key = (first, second)
        if key not in self._clashes:
            own, other = self._claims[first].values, self._claims[second].values
            lone = [v for v in own if not any(same(v, w) for w in other)]
            free = [w for w in other if lone and not any(same(v, w) for v in own)]
            self._clashes[key] = tuple(
                Slot(v, w, self._around(first, v, second, w))
                for v in lone
                for w in free
                if comparable(v, w)
            )
        return self._clashes[key]

    def common(self, first: int, second: int) -> dict[int, float]:
        """The values of the first that the second states too, by where they start, and how surely
        (0 to 1) both state them of one thing."""
        key = (first, second)
        if key not in self._common:
            found: dict[int, float] = {}
            for v in self._claims[first].values:
                for w in self._claims[second].values:
                    if same(v, w):
                        alike = weight(v) * self._around(first, v, second, w)
                        found[v.start] = max(found.get(v.start, 0.0), alike)
            self._common[key] = found
        return self._common[key]

    def _of(self, number: int) -> tuple[frozenset[str], frozenset[str]]:
        if number not in self._terms:
            unit = self._index.units[number]
            self._terms[number] = _worded(f"{unit.key.replace('_', ' ')} {unit.reading}")
        return self._terms[number]

    def _around(self, first: int, v: Value, second: int, w: Value) -> float:
        one, two = self._context(first, v), self._context(second, w)
        return max(self._share(one, two), self._share(two, one))

    def _context(self, number: int, value: Value) -> tuple[frozenset[str], frozenset[str]]:
        key = (number, value.start)
        if key not in self._contexts:
            unit = self._index.units[number]
            text, start, end = unit.reading, max(0, value.start - AROUND), value.end + AROUND
            near = f"{text[start : value.start]} {text[value.end : end]}"
            self._contexts[key] = _worded(f"{unit.key.replace('_', ' ')} {near}")
        return self._contexts[key]

    def _share(
        self,
        one: tuple[frozenset[str], frozenset[str]],
        two: tuple[frozenset[str], frozenset[str]],
    ) -> float:
        """How much of one text another has, by stems, or by concepts where languages differ."""
        by_stems = self._index.coverage(one[0], two[0])
        by_concepts = self._index.coverage(one[1], two[1]) * min(1.0, len(one[1]) / ENOUGH)
        return max(by_stems, by_concepts)


def _worded(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems and the concepts of a text, without numbers."""
    terms = {term for term in meanings(text) if not any(sign.isdigit() for sign in term)}
    concepts = frozenset(term for term in terms if term.startswith("~"))
    return frozenset(terms - concepts), concepts
