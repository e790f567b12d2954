"""The same row of two tables with different values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bot.audit.claim import Claim, Words, claims, is_rule, telling
from bot.audit.finding import Finding
from bot.audit.material import Material
from bot.audit.weigh import weighed
from bot.provenance.value import Value, contradicts

MOST_ROWS = 4  # rows of one name; more are a name that says too little, such as a weekday


class Differing(msgspec.Struct, frozen=True):
    """Two cells, as claims, of one row in two files, and the values that contradict."""

    first: Claim
    second: Claim
    values: tuple[Value, Value]


def check(material: Material) -> Iterator[Finding]:
    """One finding for two tables, at their first row that differs."""
    tables: dict[tuple[str, str], list[Differing]] = {}
    units = material.index.units
    for differing in _differing(material):
        pair = units[differing.first.unit].path, units[differing.second.unit].path
        tables.setdefault(pair, []).append(differing)
    for rows in tables.values():
        first = rows[0]
        one, other = (
            (units[claim.unit], value.text)
            for claim, value in zip((first.first, first.second), first.values, strict=True)
        )
        found = weighed(material, "rows", one, other)
        more = f", and {len(rows) - 1} more rows differ" if len(rows) > 1 else ""
        yield msgspec.structs.replace(found, message=found.message + more)


def _differing(material: Material) -> Iterator[Differing]:
    for rows in _by_name(material).values():
        if not 1 < len(rows) <= MOST_ROWS:
            continue
        ordered = list(rows.values())
        for at, row in enumerate(ordered):
            for other in ordered[at + 1 :]:
                yield from _compared(row, other, material)


def _by_name(material: Material) -> Mapping[Words, Mapping[int, Sequence[Claim]]]:
    """The cells of each row by the row's name, then by its unit."""
    found: dict[Words, dict[int, list[Claim]]] = {}
    for claim in claims(material):
        if material.index.units[claim.unit].cells:
            found.setdefault(claim.key, {}).setdefault(claim.unit, []).append(claim)
    return found


def _compared(
    row: Sequence[Claim], other: Sequence[Claim], material: Material
) -> Iterator[Differing]:
    """The one pair of cells under one heading that contradict, if there is just one."""
    first, second = (material.index.units[cells[0].unit].path for cells in (row, other))
    if first == second or material.scoped_apart(first, second):
        return
    titled = bool(_title(material, first) & _title(material, second))
    found = [
        Differing(one, two, (mine, yours))
        for one in row
        for two in other
        if _one_column(one, two, titled)
        for mine in one.own(two)
        for yours in two.own(one)
        if _rules(one, two, mine, yours) and contradicts(mine, yours)
    ]
    if len(found) == 1:
        yield found[0]


def _title(material: Material, path: str) -> Words:
    return telling(f"{material.index.titles.get(path, '')} {path.rsplit('/', 1)[-1]}")


def _one_column(one: Claim, two: Claim, titled: bool) -> bool:
    """Whether both cells stand under one heading, or under similar ones in files of one title."""
    shared = one.head & two.head
    return bool(shared) and (titled or one.head <= two.head or two.head <= one.head)


def _rules(one: Claim, two: Claim, mine: Value, yours: Value) -> bool:
    """Values of one unit; bare numbers only under the very same heading."""
    bare = mine.kind == yours.kind == "number" and one.head == two.head
    return mine.unit == yours.unit and (bare or (is_rule(mine) and is_rule(yours)))
