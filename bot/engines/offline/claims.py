"""The values that a text claims, and how far two texts agree or disagree about them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from bot.provenance.value import Value, comparable, nearness, same
from bot.provenance.values import values

# A bare number is often a section, a count or a part of something else; a URL never is.
_WEIGHT = {"number": 0.4, "ordinal": 0.3, "name": 0.3, "enum": 0.5, "path": 0.6, "version": 0.7}
_STRONG = 0.75


class Claims(msgspec.Struct, frozen=True):
    """The values of some sentences, without repeats."""

    values: tuple[Value, ...]


class Clash(msgspec.Struct, frozen=True):
    """What two texts hold alike and apart, as sums of value weights.

    `alike` weighs values of the first that the second holds, too; `apart` those of a kind that
    the second only holds with another value; `strong` is `apart` without bare numbers.
    """

    alike: float = 0.0
    apart: float = 0.0
    strong: float = 0.0


def claims(sentences: Iterable[str]) -> Claims:
    """Read the values of every sentence."""
    found: dict[tuple[str, str, str | None], Value] = {}
    for sentence in sentences:
        for value in values(sentence):
            found.setdefault((value.kind, value.canonical, value.unit), value)
    return Claims(tuple(found.values()))


def weight(value: Value) -> float:
    """How telling a value of this kind is."""
    return _WEIGHT.get(value.kind, 1.0)


def held(first: Claims, second: Claims) -> tuple[Value, ...]:
    """The values of the first that the second holds, too."""
    return tuple(v for v in first.values if any(same(v, w) for w in second.values))


def without(first: Claims, second: Claims) -> Claims:
    """The first without what the second holds, too."""
    common = held(first, second)
    return Claims(tuple(v for v in first.values if v not in common))


def clash(first: Claims, second: Claims) -> Clash:
    """Weigh agreement and disagreement of two texts."""
    alike = held(first, second)
    free = [w for w in second.values if not any(same(v, w) for v in first.values)]
    apart = [(v, _rival(v, free)) for v in first.values if v not in alike]
    return Clash(
        alike=sum(weight(v) for v in alike),
        apart=sum(weight(v) * near for v, near in apart),
        strong=sum(weight(v) * near for v, near in apart if weight(v) >= _STRONG),
    )


def _rival(value: Value, others: Sequence[Value]) -> float:
    """How likely one of the others is said of the same thing (0 to 1)."""
    return max((nearness(value, w) for w in others if comparable(value, w)), default=0.0)


class Commonness:
    """How many units of a repository hold a value: a rare one says more."""

    def __init__(self, units: Sequence[Claims]) -> None:
        self._total = len(units)
        self._counts = Counter((v.kind, v.canonical) for c in units for v in c.values)

    def rarity(self, value: Value) -> float:
        """Between 0 (stands everywhere) and about 1 (stands once), times the kind's weight."""
        count = self._counts.get((value.kind, value.canonical), 0) + 1
        return weight(value) * math.log((self._total + 1) / count) / math.log(self._total + 2)

    def shared(self, first: Claims, second: Claims) -> float:
        """The rarity of the values of the first that the second holds."""
        return sum(self.rarity(v) for v in held(first, second))
