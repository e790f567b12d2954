"""Another value in the same spelling, and the same value in another spelling."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from decimal import Decimal

from bot.provenance.values import Value, comparable, magnitude, same, values

ALTERABLE = ("money", "percent", "duration", "date", "time", "number", "measure")
SCALES = tuple(Decimal(scale) for scale in ("0.5", "2", "1.5", "0.8", "1.2", "0.75", "3", "0.4"))
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_DAY_SECONDS = 86400


def altered(value: Value, draw: random.Random) -> str | None:
    """The value's own text with another number in it, comparable and not the same; else None."""
    found = list(_DIGITS.finditer(value.text))
    if value.kind not in ALTERABLE or not found:
        return None
    # Of a date the last short number is the day or month that people get wrong.
    short = [m for m in found if len(m[0]) <= 2]
    match = short[-1] if value.kind in ("date",) and short else found[0]
    for number in _others(match[0], value.kind, draw):
        text = value.text[: match.start()] + number + value.text[match.end() :]
        read = values(text)
        if len(read) == 1 and comparable(read[0], value) and not same(read[0], value):
            return text
    return None


def _others(digits: str, kind: str, draw: random.Random) -> list[str]:
    """Numbers of the same spelling, in random order."""
    plain = digits.replace(",", "")
    places = len(plain.partition(".")[2])
    number = Decimal(plain)
    if kind in ("date", "time"):
        steps = draw.sample(range(1, 12), 11)
        width = len(plain)
        return [str((int(number) + step - 1) % 12 + 1).zfill(width) for step in steps]
    scales = draw.sample(SCALES, len(SCALES))
    found = (_rounded(number * scale, places) for scale in scales)
    grouped = "," in digits
    return [f"{n:,.{places}f}" if grouped or n >= 10_000 else f"{n:.{places}f}" for n in found if n]


def _rounded(number: Decimal, places: int) -> Decimal:
    """To the decimals that the text has; large whole numbers to two digits, as limits are."""
    if places == 0 and number >= 100:
        digits = len(str(int(number)))
        return Decimal(round(int(number), 2 - digits))
    return round(number, places)


def respelled(value: Value, forms: Mapping[str, list[str]], draw: random.Random) -> str:
    """The value as a person may write it; its own text where no other form reads the same.

    `forms` maps a kind (money: its currency, duration: its unit) to templates with `{n}`.
    """
    number = magnitude(value)
    if number is None:
        return value.text
    kind, count = _form(value, number)
    choices = [
        form.replace("{n}", n) for form in forms.get(kind, ()) for n in _written(count, forms)
    ]
    draw.shuffle(choices)
    for text in choices:
        read = values(text)
        if len(read) == 1 and same(read[0], value):
            return text
    return value.text


def _form(value: Value, number: Decimal) -> tuple[str, Decimal]:
    if value.kind == "money":
        return value.unit or "money", number
    if value.kind == "duration" and value.unit == "s":
        for name, seconds in (("week", 7 * _DAY_SECONDS), ("day", _DAY_SECONDS), ("hour", 3600)):
            if number % seconds == 0 and number >= seconds:
                return name, number / seconds
        return "minute", number / 60
    if value.kind == "duration":
        return value.unit or "", number
    return value.kind, number


def _written(number: Decimal, forms: Mapping[str, list[str]]) -> list[str]:
    """Digits with this language's marks, `25K`, or a word."""
    point, group = forms.get("marks", [".", ","])
    plain = f"{number:,.2f}" if number % 1 else f"{number:,.0f}"
    marked = plain.translate({ord("."): point, ord(","): group})
    found = [marked]
    if number % 1 == 0 and number < 100:
        words = forms.get("words", [])
        if 0 < number < len(words):
            found.append(words[int(number)])
    if number >= 1000 and number % 1000 == 0:
        found.append(f"{number / 1000:.0f}k")
    return found
