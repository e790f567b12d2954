"""The same fact with different values, in a sentence and another sentence or a row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bot.audit.claim import Claim, claims, is_rule
from bot.audit.finding import Finding
from bot.audit.material import Material
from bot.audit.weigh import weighed
from bot.provenance.value import Value, contradicts, magnitude

# The share of each statement's rare words that the other must hold, what the shared words must
# tell together, and how many others may contradict a statement before its subject is too wide.
SHARED, LEAST, RIVALS = 0.35, 6.0, 3
EXPECTED = 300  # statements that words are held against, so that a small repository has rare ones
RATIO = 20  # between two readings of one quantity
COMMON = 0.05  # share of the statements above which a word does not find a partner


class Clash(msgspec.Struct, frozen=True):
    """Two statements, by number, that agree in their subject and differ in one value."""

    first: int
    second: int
    score: float
    values: tuple[Value, Value]


def check(material: Material) -> Iterator[Finding]:
    """Each pair of statements on one subject that cannot both hold."""
    found = claims(material)
    for clash in _settled(list(_clashes(found, material))):
        one, other = (material.index.units[found[n].unit] for n in (clash.first, clash.second))
        first, second = (value.text for value in clash.values)
        yield weighed(material, "values", (one, first), (other, second))


def _clashes(found: Sequence[Claim], material: Material) -> Iterator[Clash]:
    spread = Counter(word for claim in found for word in claim.scope)
    size = max(len(found), EXPECTED)
    rarity = {word: math.log(1 + size / n) for word, n in spread.items()}
    for first, second in sorted(_partners(found, spread)):
        one, other = found[first], found[second]
        if not _one_subject(one, other, material):
            continue
        score = _alike(one, other, rarity)
        differing = _differing(one, other) if score else None
        if differing is not None:
            yield Clash(first, second, score, differing)


def _partners(found: Sequence[Claim], spread: Mapping[str, int]) -> set[tuple[int, int]]:
    """Pairs that share two rare words; a word that many statements hold makes none."""
    limit = max(12, COMMON * len(found))
    holders: dict[str, list[int]] = {}
    for number, claim in enumerate(found):
        for word in claim.subject:
            if spread[word] <= limit:
                holders.setdefault(word, []).append(number)
    shared = Counter(
        (a, b)
        for numbers in holders.values()
        for at, a in enumerate(numbers)
        for b in numbers[at + 1 :]
    )
    return {pair for pair, count in shared.items() if count >= 2}


def _one_subject(one: Claim, other: Claim, material: Material) -> bool:
    """Whether both may speak of one thing: other files, one scope, and what the row is about."""
    a, b = material.index.units[one.unit], material.index.units[other.unit]
    if a.path == b.path or (a.cells and b.cells):
        return False
    named = one.key <= other.scope and other.key <= one.scope
    return named and not material.scoped_apart(a.path, b.path)


def _alike(one: Claim, other: Claim, rarity: Mapping[str, float]) -> float:
    """How much of the statements' rare words both hold (0 to 1); 0 where it is too little."""

    def mass(words: frozenset[str]) -> float:
        return math.fsum(rarity[word] for word in words)

    if mass(one.subject & other.subject) < LEAST:
        return 0.0
    share = min(
        mass(one.subject & other.scope) / mass(one.subject),
        mass(other.subject & one.scope) / mass(other.subject),
    )
    return share if share >= SHARED else 0.0


def _differing(one: Claim, other: Claim) -> tuple[Value, Value] | None:
    """The one value of each that contradicts the other's; None where there are none or several."""
    mine = [value for value in one.own(other) if is_rule(value)]
    yours = [value for value in other.own(one) if is_rule(value)]
    if len(mine) != 1 or len(yours) != 1:
        return None
    pair = mine[0], yours[0]
    alike = pair[0].unit == pair[1].unit and contradicts(*pair) and _of_one_size(*pair)
    return pair if alike else None


def _of_one_size(one: Value, other: Value) -> bool:
    """Whether two quantities may measure one thing; hours and weeks are two steps of a rule."""
    sizes = sorted(size for value in (one, other) if (size := magnitude(value)) is not None)
    return len(sizes) < 2 or sizes[1] <= RATIO * sizes[0] or sizes[0] == 0


def _settled(clashes: Sequence[Clash]) -> Iterator[Clash]:
    """The clashes of statements that few others contradict, the best one of each."""
    rivals = Counter(n for clash in clashes for n in (clash.first, clash.second))
    taken: set[int] = set()
    for clash in sorted(clashes, key=lambda c: (-c.score, c.first, c.second)):
        both = {clash.first, clash.second}
        if both & taken or max(rivals[n] for n in both) > RIVALS:
            continue
        taken |= both
        yield clash
