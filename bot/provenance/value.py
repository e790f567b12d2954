"""A typed value found in a text, and how two of them relate."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Literal

import msgspec
from rapidfuzz import fuzz

Kind = Literal[
    "money",
    "percent",
    "number",
    "date",
    "duration",
    "time",
    "version",
    "identifier",
    "path",
    "url",
    "email",
    "phone",
    "enum",
    "name",
    "ordinal",
    "measure",
]
Comparator = Literal["<", "<=", ">", ">="]

QUANTITIES = frozenset({"money", "percent", "number", "duration", "measure"})
_DATE = re.compile(
    r"(?P<fiscal>FY\d{4})?(?P<year>\d{4})?(?:-{1,2}(?P<month>\d\d))?(?:-(?P<day>\d\d))?"
    r"(?:-(?P<part>[QH]\d))?(?P<weekday>W\d)?"
)
# 7 bar for 100 psi, 38 °C for 100 °F: people round when they convert.
_ROUNDING = Decimal("0.005")
_DEGREES = Decimal("0.3")
# Powers of ten: up to the first a change is usual, from the second on there is none.
_USUAL, _FAR = 1.0, 2.2
# "Residence Tutors" is "Residence Tutor"; "North Plant" is not "South Plant".
_ALIKE = 92


class Value(msgspec.Struct, frozen=True):
    """`text[start:end]` read as a value, in a form that does not depend on its spelling.

    `canonical` is a decimal number in `unit` for quantities (money: the ISO 4217 code or None;
    percent: `%`; duration: `s`, `month`, `business day` or `business hour`; measure: the
    family's base unit; `per s` and the like for a rate), an ISO 8601 form for dates and times
    (`--04-01` where the year is not said, `FY2026-Q2`, `W1` for Monday), and the text itself for
    names and codes. Readings that the text leaves open are joined by `|` (`02:30|14:30`). `cmp`
    is the bound that stands beside the value, so that "at least 5" is `>=`; the ends of a range
    are two values, `>=` and `<=`.
    """

    kind: Kind
    canonical: str
    start: int
    end: int
    text: str
    unit: str | None = None
    cmp: Comparator | None = None

    @property
    def readings(self) -> tuple[str, ...]:
        """The canonical forms that the text may mean."""
        return tuple(self.canonical.split("|"))


def magnitude(value: Value) -> Decimal | None:
    """The number of a quantity, in its base unit; None for anything else."""
    return Decimal(value.readings[0]) if value.kind in QUANTITIES else None


def same(a: Value, b: Value) -> bool:
    """Whether both state the same value, whatever the spelling; bounds are not looked at.

    A bare number equals a money amount or percentage of that size, since people leave units out.
    """
    if a.kind != b.kind:
        bare = {a.kind, b.kind}
        return "number" in bare and bare <= {"number", "money", "percent"} and _equal(a, b)
    match a.kind:
        case "date":
            return _dates_agree(a, b, whole=True)
        case "duration":
            return _durations_agree(a, b)
        case "name":
            return fuzz.ratio(a.canonical, b.canonical) >= _ALIKE
        case "measure":
            return a.unit == b.unit and _measures_agree(a, b)
        case "money":
            return _currencies_agree(a, b) and _equal(a, b)
        case _:
            return _equal(a, b)


def comparable(a: Value, b: Value) -> bool:
    """Whether the two speak of the same kind of thing, so that they could contradict."""
    if a.kind != b.kind:
        return False
    if a.kind == "date":
        return any(set(x) & set(y) for x in _dates(a) for y in _dates(b))
    if "per " in f"{a.unit} {b.unit}":
        return _unit_of(a) == _unit_of(b)
    return a.kind in ("duration", "money", "time", "number") or a.unit == b.unit


def nearness(a: Value, b: Value) -> float:
    """How likely by their sizes two comparable values are of one thing, from 0 to 1: a rule that
    changes asks for twice as much or a tenth, hardly ever for a thousandth."""
    if a.kind not in QUANTITIES:
        return 1.0
    small, large = sorted(abs(size) for size in (_size(a), _size(b)) if size is not None)
    if not small:
        return 1.0
    steps = math.log10(float(large / small))
    return min(1.0, max(0.0, (_FAR - steps) / (_FAR - _USUAL)))


def _unit_of(value: Value) -> str:
    """`per` for a rate of any time, so that "per second" compares with "per day"."""
    unit = value.unit or ""
    return "per" if value.kind == "duration" and unit.startswith("per ") else unit


def contradicts(a: Value, b: Value) -> bool:
    """Whether both cannot hold of one thing: other values, or a value outside a bound."""
    if not comparable(a, b):
        return False
    if a.kind == "date":
        return not _dates_agree(a, b, whole=False) and _outside(a, b)
    if same(a, b):
        return {a.cmp, b.cmp} in ({"<", ">"}, {"<=", ">="})
    return _outside(a, b)


def _outside(a: Value, b: Value) -> bool:
    """Unequal values contradict, unless one is a bound that the other keeps to."""
    if (a.cmp is None) == (b.cmp is None):
        return True
    bound, plain = (a, b) if a.cmp else (b, a)
    size, limit = _size(plain), _size(bound)
    if size is None or limit is None:
        return True
    return size > limit if bound.cmp in ("<", "<=") else size < limit


def _size(value: Value) -> Decimal | None:
    number = magnitude(value)
    if number is None or value.kind != "duration":
        return number
    # Only to order durations of unlike units: a month of 30 days, a business day as a day.
    days = {"s": Decimal(86400), "month": 1 / Decimal(30), "business hour": Decimal(8)}
    return number / days.get(value.unit or "", Decimal(1))


def _equal(a: Value, b: Value) -> bool:
    return bool(set(a.readings) & set(b.readings))


def _currencies_agree(a: Value, b: Value) -> bool:
    return a.unit == b.unit or a.unit is None or b.unit is None


def _measures_agree(a: Value, b: Value) -> bool:
    x, y = Decimal(a.canonical), Decimal(b.canonical)
    if x == y:
        return True
    slack = _DEGREES if a.unit == "°C" else max(abs(x), abs(y)) * _ROUNDING
    return abs(x - y) <= slack


def _durations_agree(a: Value, b: Value) -> bool:
    if a.unit == b.unit:
        return _equal(a, b)
    if {a.unit, b.unit} != {"s", "month"}:
        return False
    seconds, months = (a, b) if a.unit == "s" else (b, a)
    days, count = Decimal(seconds.canonical) / 86400, Decimal(months.canonical)
    # A month has 30 or 31 days in rules; a year 360 (bank year) to 366.
    most = min(31 * count, (count * Decimal("30.44") + 1).to_integral_value())
    return count >= 1 and 30 * count <= days <= most


def _dates(value: Value) -> list[dict[str, str]]:
    found = (_DATE.fullmatch(reading) for reading in value.readings)
    return [{k: v for k, v in m.groupdict().items() if v} for m in found if m]


def _dates_agree(a: Value, b: Value, *, whole: bool) -> bool:
    """Whether a reading of each agrees in every part both state.

    `whole` asks that they are of one precision too, but for the year that may be left out.
    """
    optional = {"year", "fiscal"}
    return any(
        bool(set(x) & set(y))
        and all(x[part] == y[part] for part in set(x) & set(y))
        and (not whole or not ((set(x) ^ set(y)) - optional and x and y))
        for x in _dates(a)
        for y in _dates(b)
    )
