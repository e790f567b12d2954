"""A value written in the form of another: `95` where `€60.00` stood becomes `€95.00`."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from bot.provenance.value import Value, magnitude

_NUMBER = re.compile(r"\d[\d.,' \u202f]*\d|\d")


def in_form(old: Value, new: Value) -> str:
    """The text of `new` as the place of `old` would write it.

    Only a plain number inside the old text is exchanged; where the units differ, or the old text
    holds no single number, the new text stands as its own source wrote it.
    """
    number = magnitude(new)
    places = list(_NUMBER.finditer(old.text))
    alike = old.kind == new.kind or old.kind == "number"
    fits = alike and (old.unit == new.unit or None in (old.unit, new.unit))
    before = magnitude(old)
    if number is None or before is None or len(places) != 1 or not fits:
        return new.text
    written = places[0][0]
    plain = _plain(written)
    if plain is None or plain != before:
        return new.text
    figure = _figure(str(number.normalize()), written, _decimals(written))
    return old.text[: places[0].start()] + figure + old.text[places[0].end() :]


def _plain(written: str) -> Decimal | None:
    cleaned = re.sub(r"[' \u202f]", "", written)
    decimals = _decimals(written)
    digits = re.sub(r"[.,]", "", cleaned)
    try:
        return Decimal(digits).scaleb(-decimals)
    except InvalidOperation:
        return None


def _decimals(written: str) -> int:
    """How many decimals: digits behind the last mark, unless there are three (thousands)."""
    tail = re.search(r"[.,](\d+)$", written)
    return len(tail[1]) if tail and len(tail[1]) != 3 else 0


def _figure(number: str, written: str, decimals: int) -> str:
    value = Decimal(number)
    rest = format(value, "f").partition(".")[2]
    exact = max(decimals, len(rest))
    marks = re.findall(r"[.,' \u202f](?=\d{3}(?!\d))", written)
    point = "," if re.search(r",\d{1,2}$", written) else "."
    group = marks[0] if marks else ("," if point == "." and value >= 10000 else "")
    whole, _, rest = f"{value:.{exact}f}".partition(".")
    if group and group != point:
        whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", group, whole)
    return whole + (point + rest if rest else "")
