"""Numbers in Chinese and Japanese characters, alone or mixed with digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from bot.provenance.number_words import Numeral

DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
_RUN = re.compile(
    r"(?:(?!百分之)(?:\d[\d,]*(?:\.\d+)?|[〇零一二三四五六七八九两兩十百千万萬億亿兆半]))+"
)
_PIECE = re.compile(r"\d+(?:\.\d+)?|\D")


def han_numerals(folded: str) -> Iterator[Numeral]:
    """The numbers of a folded text such as `2万5千` or `二十五`; one character alone is weak."""
    for match in _RUN.finditer(folded):
        run = match.group()
        if not run.isascii():
            value = han_value(run.replace(",", ""))
            yield Numeral(match.start(), match.end(), value, value, weak=len(run) == 1)


def han_value(run: str) -> Decimal:
    """The value of a run; a last digit right behind a power counts tenths of it (`二百一`: 210)."""
    total = section = Decimal(0)
    number: Decimal | None = None
    tenth = Decimal(0)
    for piece in _PIECE.findall(run):
        if piece == "半":
            number = (number or Decimal(0)) + Decimal("0.5")
        elif piece in DIGITS:
            tenth = tenth if number is None and DIGITS[piece] else Decimal(0)
            number = (number or Decimal(0)) * 10 + DIGITS[piece]
        elif piece in _SMALL:
            section += (Decimal(1) if number is None else number) * _SMALL[piece]
            number, tenth = None, Decimal(_SMALL[piece] // 10)
        elif piece in _LARGE:
            section += number or 0
            total += (section or 1) * _LARGE[piece]
            section, number, tenth = Decimal(0), None, Decimal(_LARGE[piece] // 10)
        else:
            number, tenth = Decimal(piece), Decimal(0)
    return total + section + (number or 0) * (tenth or 1)
