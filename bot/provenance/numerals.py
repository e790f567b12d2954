"""Numbers in digits, whatever the locale's marks, joined with those in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from bot.provenance.han_numbers import han_numerals
from bot.provenance.language import lower, named
from bot.provenance.number_words import Numeral, vocabularies, worded_numerals
from bot.provenance.text import TOKEN, Text

# A letter of an alphabet before or after makes it a code; a Chinese or Japanese one does not.
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9_À-ɏ])(?<!\d[.,'])(?:(?<![\w)\]}.,])-(?=\d))?"
    r"(?:\d{1,3}(?:(?P<mark>[.,' ])\d{3})(?:(?P=mark)\d{3})*(?![\d])(?:[.,]\d+)?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"
    r"|\d+(?:[.,]\d+)?)"
    r"(?P<vulgar>[½¼¾⅓⅔])?|(?<!\w)(?P<lone>[½¼¾⅓⅔])"
)
_VULGAR = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "0.3333333333", "⅔": "0.6666666667"}
_COMMA_DECIMAL = frozenset({"de", "es", "fr", "pt", "it", "nl", "tr"})
_SHORT = {
    "k": 10**3,
    "m": 10**6,
    "tsd.": 10**3,
    "mio.": 10**6,
    "mio": 10**6,
    "mrd.": 10**9,
    "bn": 10**9,
}
_SHORT_AFTER = re.compile(
    r"(?:(?P<attached>[kKM])|[ ]?(?P<abbreviated>(?i:tsd\.|mio\.?|mrd\.|bn)))(?![A-Za-z0-9/])"
)
_SCALE = re.compile(rf"[ -]?(?P<word>{TOKEN.pattern})")
_SCALES = {100, 10**3, 10**6, 10**9}
_NOT_A_SCALE = frozenset({"bin", "cent", "cents"})  # German "am", coins
_MONEY_SHORT = re.compile(r"[ ]?(?P<letter>[mMB])(?![A-Za-z0-9/²³])")
# `18.150` is eighteen thousand in one country and eighteen in another.
_OPEN = re.compile(r"-?[1-9]\d{0,2}[.]\d{3}")
_MAX_DIGITS = 30


def numerals(text: Text) -> tuple[Numeral, ...]:
    """All numbers of a text in order, none overlapping another."""
    found = [*_digits(text), *han_numerals(text.folded)]
    taken = bytearray(len(text.folded))
    for numeral in found:
        taken[numeral.start : numeral.end] = b"\x01" * (numeral.end - numeral.start)
    found += [
        numeral
        for numeral in worded_numerals(text.lowered, text.language)
        if not any(taken[numeral.start : numeral.end])
    ]
    return tuple(_merged(sorted(found, key=lambda n: (n.start, -n.end))))


def _merged(found: list[Numeral]) -> Iterator[Numeral]:
    """Drops what lies inside a longer numeral (the digits of `2万5千`)."""
    end = 0
    for numeral in found:
        if numeral.start >= end:
            yield numeral
            end = numeral.end


def _digits(text: Text) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(text.folded):
        raw = match.group().rstrip("".join(_VULGAR))
        if len(raw) > _MAX_DIGITS:
            continue
        vulgar = Decimal(_VULGAR.get(match.group("vulgar") or match.group("lone") or "", "0"))
        readings = [_read(raw, comma) + vulgar for comma in (text.language in _COMMA_DECIMAL, None)]
        end, factor = _scaled(text.folded, match.end())
        value, money = (reading * factor for reading in readings)
        decimal = Decimal(raw) * factor if _OPEN.fullmatch(raw) else value
        other = money if decimal == value else decimal
        yield Numeral(match.start(), end, value, money, worded=False, other=other)


def _read(raw: str, comma_decimal: bool | None) -> Decimal:
    """A digit string as a number: the last mark is the decimal one unless it groups thousands.

    `comma_decimal` says which mark the language takes; None that three digits behind any mark
    are thousands, as in amounts of money.
    """
    if not raw:
        return Decimal(0)
    plain = raw.replace(" ", "").replace("'", "")
    marks = [c for c in plain if c in ".,"]
    if not marks:
        return Decimal(plain)
    last = marks[-1]
    whole, _, decimals = plain.rpartition(last)
    groups = len(marks) > 1 and len(set(marks)) == 1
    if len(marks) == 1 and len(decimals) == 3 and whole.lstrip("-") not in ("", "0"):
        groups = last == "," or comma_decimal is not False or decimals == "000"
    digits = whole.replace(".", "").replace(",", "")
    return Decimal(digits + decimals) if groups else Decimal(f"{digits}.{decimals}")


def _scaled(folded: str, end: int) -> tuple[int, int]:
    """The end and factor of "25K", "2,5 Mio." and "25 thousand"."""
    if match := _SHORT_AFTER.match(folded, end):
        short = match.group("attached") or match.group("abbreviated")
        short_scale = named(_SHORT, short)
        return (match.end(), short_scale) if short_scale else (end, 1)
    factor = 1
    while match := _SCALE.match(lower(folded[end : end + 20])):
        scale = _scale_word(match.group("word"))
        if not scale:
            break
        factor *= scale
        end += match.end()
    return end, factor


def _scale_word(word: str) -> int:
    """What a word such as "thousand" multiplies by; 0 for another word."""
    scales = {v.atoms.get(word, 0) for v in vocabularies().values()} & _SCALES
    return 0 if word in _NOT_A_SCALE else max(scales, default=0)


def money_scale(folded: str, end: int) -> tuple[int, int]:
    """The end and factor of an amount's "M" or "B", which are units of measure elsewhere."""
    match = _MONEY_SHORT.match(folded, end)
    if not match:
        return end, 1
    return match.end(), 10**9 if match.group("letter") == "B" else 10**6
