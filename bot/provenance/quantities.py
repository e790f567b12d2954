"""Numbers with what stands beside them: money, percentages, durations, measures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, localcontext
from functools import cache

import msgspec

from bot.provenance.language import lower
from bot.provenance.lexicon import alternatives, table
from bot.provenance.number_words import Numeral
from bot.provenance.numerals import money_scale, numerals
from bot.provenance.value import Kind, Value

_RATE = re.compile(r"[ ]?(?:/[ ]?|an? |per |pro |por |par |al |à l'|je )?$")
_LETTER_AFTER = re.compile(r"[A-Za-zÀ-ɏ_]|-[A-Za-z]*\d|[.,]\d")
_PERCENT_BEFORE = re.compile(r"(?:百分之|yüzde |%)$")
_EMPTY_GAP = re.compile(r"[ ,]*(?:and|und|y|et|e|en)?[ ]*")


class Unit(msgspec.Struct, frozen=True):
    """What one unit word means: a kind, the family's base unit, and the factor to it."""

    kind: Kind
    base: str
    factor: str
    sign: bool = False
    only_in: str | None = None


def quantities(text: str, folded: str, language: str | None) -> Iterator[Value]:
    """Every number of the text as the most specific quantity its neighbours make of it."""
    previous: Value | None = None
    for numeral in numerals(folded, language):
        value = _dress(text, folded, numeral, language)
        if value is None or _is_rate(folded, numeral, value, previous):
            continue
        if previous and (joined := _joined(text, folded, previous, value)):
            previous = joined
            continue
        if previous:
            yield previous
        previous = value
    if previous:
        yield previous


def _dress(text: str, folded: str, numeral: Numeral, language: str | None) -> Value | None:
    prefix = _currency_before(folded, numeral.start)
    if prefix:
        start, currency = prefix
        return _money(text, folded, numeral, start, currency)
    suffix = _unit_after(folded, numeral, language)
    if suffix:
        end, unit = suffix
        return _measured(text, numeral, end, unit)
    if before := _PERCENT_BEFORE.search(folded, max(0, numeral.start - 8), numeral.start):
        canonical = plain(numeral.value)
        start = before.start()
        return Value("percent", canonical, start, numeral.end, text[start : numeral.end], "%")
    if numeral.weak or _LETTER_AFTER.match(folded, numeral.end):
        return None
    span = text[numeral.start : numeral.end]
    return Value("number", plain(numeral.value), numeral.start, numeral.end, span)


def _money(text: str, folded: str, numeral: Numeral, start: int, currency: str) -> Value:
    end, factor = money_scale(folded, numeral.end)
    suffix = _unit_after(folded, Numeral(start, end, numeral.value, numeral.money), None)
    if suffix and suffix[1].kind == "money":
        end, currency = suffix[0], suffix[1].base
    return Value("money", plain(numeral.money * factor), start, end, text[start:end], currency)


def _measured(text: str, numeral: Numeral, end: int, unit: Unit) -> Value:
    number = numeral.money if unit.kind == "money" else numeral.value
    span = text[numeral.start : end]
    return Value(unit.kind, plain(_in_base(number, unit)), numeral.start, end, span, unit.base)


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


def _currency_before(folded: str, start: int) -> tuple[int, str] | None:
    match = _prefix().search(folded, max(0, start - 5), start)
    return (match.start(), _currency_signs()[match.group("sign")]) if match else None


def _unit_after(folded: str, numeral: Numeral, language: str | None) -> tuple[int, Unit] | None:
    match = _suffix().match(folded, numeral.end)
    if match is None:
        return None
    sign, word = match.group("sign"), match.group("word")
    unit = _units()[sign] if sign else _units()[lower(word)]
    foreign = unit.only_in and language not in (unit.only_in, None)
    letter = sign and len(sign) == 1 and sign.isalpha() and numeral.worded
    return None if foreign or letter else (match.end(), unit)


def _is_rate(folded: str, numeral: Numeral, value: Value, previous: Value | None) -> bool:
    """Whether "a day" only says per what the amount before it is."""
    if previous is None or value.kind != "duration" or not numeral.weak or numeral.value != 1:
        return False
    return bool(_RATE.fullmatch(folded, previous.end, numeral.start))


def _joined(text: str, folded: str, first: Value, then: Value) -> Value | None:
    """ "1 hour 30 minutes" as one duration."""
    if first.kind != "duration" or then.kind != "duration" or first.unit != then.unit:
        return None
    if not _EMPTY_GAP.fullmatch(folded, first.end, then.start):
        return None
    a, b = Decimal(first.canonical), Decimal(then.canonical)
    if b >= a or (first.unit == "s" and b >= 86400):
        return None
    span = text[first.start : then.end]
    return Value("duration", plain(a + b), first.start, then.end, span, first.unit)


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
                    units[word] = Unit(kind, base, factor, only_in=data["only_in"].get(word))
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
        r"(?!(?<=quarter)[ ](?:past|to|of|hour|per)\b)"
    )
