"""Bounds beside values: "at least 5 days", "up to €150", "from 8 to 18 h"."""

from __future__ import annotations

import re
from functools import cache
from typing import get_args

from msgspec.structs import replace

from bot.provenance.lexicon import alternatives, table
from bot.provenance.value import QUANTITIES, Comparator, Value

_BOUNDED = QUANTITIES | {"date", "time"}
_REACH = 28
_DAY = re.compile(r"[1-9]|[12]\d|3[01]")
# "no more than" is "at most".
_NEGATED: dict[Comparator, Comparator] = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}


def bounded(values: tuple[Value, ...], lowered: str) -> tuple[Value, ...]:
    """The values with `cmp` set from the words beside them, and the ends of ranges made alike."""
    out = list(values)
    for at in range(len(out) - 1):
        pair = _range(out[at], out[at + 1], lowered)
        if pair:
            out[at : at + 2] = pair
    return tuple(value if value.cmp else _compared(value, lowered) for value in out)


def _range(low: Value, high: Value, lowered: str) -> tuple[Value, Value] | None:
    """Both ends of a range, or None. A bare number takes the unit or the month of the other."""
    if low.kind not in _BOUNDED or high.kind not in _BOUNDED:
        return None
    link = lowered[low.end : high.start].strip()
    if link not in _links() or not _opens(lowered, low.start, link):
        return None
    low, high = _alike(low, high)
    if low.kind != high.kind or (low.unit != high.unit and low.kind != "date"):
        return None
    if low.kind in QUANTITIES and float(low.readings[0]) >= float(high.readings[0]):
        return None
    return replace(low, cmp=">="), replace(high, cmp="<=")


def _opens(lowered: str, start: int, link: str) -> bool:
    """A dash joins by itself; "to" and "and" need a "from" or "between" ahead, or stay "to"."""
    if link in table("comparators")["dashes"]:
        return True
    head = lowered[max(0, start - _REACH) : start].rstrip()
    return bool(_between().search(head)) or link in table("comparators")["strong_to"]


def _alike(low: Value, high: Value) -> tuple[Value, Value]:
    if low.kind == "number" and high.kind in ("money", "percent"):
        return replace(low, kind=high.kind, unit=high.unit), high
    in_month = high.unit == "day" and "|" not in high.canonical
    if low.kind == "number" and in_month and _DAY.fullmatch(low.canonical):
        day = f"{high.canonical[:-2]}{int(low.canonical):02}"
        return replace(low, kind=high.kind, unit="day", canonical=day), high
    if high.kind == "number" and low.kind in ("money", "percent"):
        return low, replace(high, kind=low.kind, unit=low.unit)
    return low, high


def _compared(value: Value, lowered: str) -> Value:
    if value.kind not in _BOUNDED:
        return value
    head = lowered[max(0, value.start - _REACH) : value.start].rstrip()
    tail = lowered[value.end : value.end + _REACH].lstrip(" ,")
    for place in ["before"] if value.kind in QUANTITIES else ["dates", "before"]:
        for comparator in get_args(Comparator):
            if match := _before(place, comparator).search(head):
                negated = _negators().search(head, 0, match.start())
                return replace(value, cmp=_NEGATED[comparator] if negated else comparator)
    for comparator in get_args(Comparator):
        if _after(comparator).match(tail):
            return replace(value, cmp=comparator)
    return value


@cache
def _links() -> frozenset[str]:
    return frozenset(table("comparators")["to"])


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf"(?<![a-zà-ɏ])(?:{alternatives(table('comparators')['between'])})\Z")


@cache
def _before(place: str, comparator: str) -> re.Pattern[str]:
    words = table("comparators")[place][comparator]
    filler = alternatives(table("comparators")["fillers"])
    return re.compile(rf"(?<![a-zà-ɏ<>=])(?:{alternatives(words)})(?: (?:{filler}))?\Z")


@cache
def _after(comparator: str) -> re.Pattern[str]:
    words = alternatives(table("comparators")["after"][comparator])
    counters = table("comparators")["counters"]  # "5件未満": a word for what is counted between
    return re.compile(rf"[{counters}]?(?:{words})(?![a-zà-ɏ])")


@cache
def _negators() -> re.Pattern[str]:
    words = alternatives(table("comparators")["negators"])
    return re.compile(rf"(?<![a-zà-ɏ])(?:{words}) \Z")
