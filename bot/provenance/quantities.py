"""Numbers with what stands beside them: money, percentages, durations, measures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, localcontext
from functools import cache
from itertools import zip_longest

import msgspec
from msgspec.structs import replace

from bot.provenance.language import named
from bot.provenance.lexicon import alternatives, table
from bot.provenance.number_words import Numeral
from bot.provenance.numerals import money_scale, numerals
from bot.provenance.text import Text
from bot.provenance.value import Kind, Value

_LETTER_AFTER = re.compile(r"[A-Za-zÀ-ɏ_]|-[A-Za-z]+\d|[.,]\d")
_PERCENT_BEFORE = re.compile(r"(?:百分之|yüzde |%)$")
_AND = re.compile(r"[ ,]*(?:and|und|y|et|e|en)?[ ]*")
_HALF = re.compile(
    r"[ ](?:and an? (half|quarter)|y (media)|et (demie?)|e (mezz[ao])|e (meia))(?!\w)"
)
_OF_A = re.compile(r"[ ](?:of an?|d'une?|einer|de|di un'?a?)[ ]?(?=\w)")


class Unit(msgspec.Struct, frozen=True):
    """What one unit word means: a kind, the family's base unit, and the factor to it."""

    kind: Kind
    base: str
    factor: str
    sign: bool = False
    only_in: str | None = None
    ordinal_too: bool = False


def quantities(text: Text) -> Iterator[Value]:
    """Every number of the text as the most specific quantity its neighbours make of it."""
    previous: Value | None = None
    found = numerals(text)
    for numeral, then in zip_longest(found, found[1:]):
        value = _dress(text, numeral)
        if then and value and value.kind == "number":
            value = _with_unit_of(text, (numeral, then)) or value
        if value is None:
            continue
        if previous:
            if joined := _joined(text, previous, value):
                previous = joined
                continue
            value = _as_rate(text, numeral, value, previous)
            yield previous
        previous = value
    if previous:
        yield previous


def rates(text: Text) -> Iterator[Value]:
    """ "per day", "pro Stunde", "/km": one unit, marked as a rate by `per` in its unit."""
    if "/" not in text.folded and text.words.isdisjoint(table("units")["rates"]):
        return
    for match in _per().finditer(text.folded):
        one = Numeral(match.end(), match.end(), Decimal(1), Decimal(1))
        suffix = _unit_after(text, one)
        if suffix and suffix[1].kind in ("duration", "measure"):
            end, unit = suffix
            canonical = plain(_in_base(Decimal(1), unit))
            yield text.value(unit.kind, canonical, (match.start(), end), f"per {unit.base}")


def _dress(text: Text, numeral: Numeral) -> Value | None:
    if prefix := _currency_before(text, numeral.start):
        return _money(text, numeral, *prefix)
    if suffix := _unit_after(text, numeral):
        return _measured(text, numeral, *suffix)
    start, end = numeral.start, numeral.end
    if before := _PERCENT_BEFORE.search(text.folded, max(0, start - 8), start):
        start = before.start()
        return text.value("percent", plain(numeral.value), (start, end), "%")
    if numeral.weak or _LETTER_AFTER.match(text.folded, end):
        return None
    canonical = plain(numeral.value)
    if numeral.other is not None and numeral.other != numeral.value:
        canonical += f"|{plain(numeral.other)}"
    return text.value("number", canonical, (start, end))


def _with_unit_of(text: Text, ends: tuple[Numeral, Numeral]) -> Value | None:
    """The first end of "5 to 10 days" in the unit that stands behind the second."""
    low, high = ends
    link = text.lowered[low.end : high.start].strip()
    suffix = _unit_after(text, high) if link in table("comparators")["to"] else None
    if suffix is None or low.value >= high.value:
        return None
    return _measured(text, low, low.end, suffix[1])


def _money(text: Text, numeral: Numeral, start: int, currency: str) -> Value:
    end, factor = money_scale(text.folded, numeral.end)
    suffix = _unit_after(text, Numeral(start, end, numeral.value, numeral.money))
    if suffix and suffix[1].kind == "money":
        end, currency = suffix[0], suffix[1].base
    return text.value("money", plain(numeral.money * factor), (start, end), currency)


def _measured(text: Text, numeral: Numeral, end: int, unit: Unit) -> Value | None:
    start, number = numeral.start, numeral.money if unit.kind == "money" else numeral.value
    if unit.kind == "duration" and (half := _HALF.match(text.folded, end)):
        end = half.end()
        number += Decimal("0.25") if half[1] == "quarter" else Decimal("0.5")
    article = numeral.weak and numeral.value == 1
    if article and (unit.kind == "percent" or unit.ordinal_too):
        return None
    canonical = plain(_in_base(number, unit))
    return text.value(unit.kind, canonical, (start, end), unit.base or None)


def _in_base(number: Decimal, unit: Unit) -> Decimal:
    if unit.factor == "°F":
        return ((number - 32) * 5 / 9).quantize(Decimal("0.01"))
    return number * Decimal(unit.factor)


def plain(number: Decimal) -> str:
    """A number with at most ten significant digits behind the point and no trailing zeros."""
    with localcontext() as context:
        context.prec = 60
        rounded = number.quantize(Decimal("0.000001"))
    return f"{rounded.normalize():f}" if rounded else "0"


def _currency_before(text: Text, start: int) -> tuple[int, str] | None:
    match = _prefix().search(text.folded, max(0, start - 5), start)
    return (match.start(), _currency_signs()[match.group("sign")]) if match else None


def _unit_after(text: Text, numeral: Numeral) -> tuple[int, Unit] | None:
    at = numeral.end
    if numeral.weak and (of_a := _OF_A.match(text.folded, at)):
        at = of_a.end() - 1 if text.folded[of_a.end() - 1] == " " else of_a.end()
    match = _suffix().match(text.folded, at)
    if match is None:
        return None
    sign, word = match.group("sign"), match.group("word")
    unit = _units()[sign] if sign else named(_units(), word)
    if unit is None:
        return None
    foreign = unit.only_in and text.language not in (unit.only_in, None)
    letter = sign and len(sign) == 1 and sign.isalpha() and numeral.worded
    return None if foreign or letter else (match.end(), unit)


def _as_rate(text: Text, numeral: Numeral, value: Value, previous: Value) -> Value:
    """ "a day" behind an amount says per what it is."""
    one = numeral.weak and numeral.value == 1
    if not one or value.kind not in ("duration", "measure"):
        return value
    behind = not text.folded[previous.end : numeral.start].strip()
    return replace(value, unit=f"per {value.unit}") if behind else value


def _joined(text: Text, first: Value, then: Value) -> Value | None:
    """ "1 hour 30 minutes" as one duration, "forty-five euros ninety-nine" as one amount."""
    if not _AND.fullmatch(text.folded, first.end, then.start):
        return None
    a, b = Decimal(first.readings[0]), Decimal(then.readings[0])
    span = text.raw[first.start : then.end]
    if first.kind == "money" and then.kind == "number":
        words = not any(map(str.isdigit, span)) and a == int(a) and 10 <= b < 100
        return (
            replace(first, canonical=plain(a + b / 100), end=then.end, text=span) if words else None
        )
    if first.kind != "duration" or then.kind != "duration" or first.unit != then.unit:
        return None
    if b >= a or (first.unit == "s" and b >= 86400):
        return None
    return replace(first, canonical=plain(a + b), end=then.end, text=span)


@cache
def _units() -> dict[str, Unit]:
    """Sign or lower-case word -> its unit, currencies included."""
    units: dict[str, Unit] = {}
    for code, spelled in table("currencies").items():
        units |= {word: Unit("money", code, "1") for word in spelled["words"]}
        units |= {sign: Unit("money", code, "1", sign=True) for sign in spelled["signs"]}
    data = table("units")
    for kind, families in data["families"].items():
        for base, factors in families.items():
            for factor, spelled in factors.items():
                for word in spelled["words"]:
                    foreign, ordinal = data["only_in"].get(word), word in data["ordinal_too"]
                    units[word] = Unit(kind, base, factor, only_in=foreign, ordinal_too=ordinal)
                units |= {s: Unit(kind, base, factor, sign=True) for s in spelled["signs"]}
    return units


@cache
def _currency_signs() -> dict[str, str]:
    return {s: code for code, spelled in table("currencies").items() for s in spelled["signs"]}


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z$€£¥])(?P<sign>{alternatives(list(_currency_signs()))})[ ]?\Z")


@cache
def _suffix() -> re.Pattern[str]:
    signs = alternatives([name for name, unit in _units().items() if unit.sign])
    words = alternatives([name for name, unit in _units().items() if not unit.sign])
    return re.compile(
        rf"[ ]?-?(?:(?P<sign>{signs})|(?P<word>(?i:{words})))(?![A-Za-z0-9_À-ɏ])"
        r"(?!/[A-Za-z])(?!(?<=quarter)[ ](?:past|to|of|hour|per)\b)"
    )


@cache
def _per() -> re.Pattern[str]:
    words = alternatives(table("units")["rates"])
    return re.compile(rf"(?:(?<![A-Za-zÀ-ɏ])(?i:{words})|(?<=[\d€$£%])[ ]?/)(?=[ ]?[^\W\d])")
