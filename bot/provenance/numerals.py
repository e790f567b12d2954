"""Numbers in digits, whatever the locale's marks, joined with those in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from bot.provenance.language import lower
from bot.provenance.lexicon import alternatives
from bot.provenance.number_words import (
    TOKEN,
    Numeral,
    han_numerals,
    vocabularies,
    worded_numerals,
)

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
_SHORT = {"k": 10**3, "tsd.": 10**3, "mio.": 10**6, "mio": 10**6, "mrd.": 10**9, "bn": 10**9}
_SHORT_AFTER = re.compile(
    rf"(?:(?P<attached>[kK]|bn)|[ ]?(?P<abbreviated>(?i:{alternatives(['tsd.', 'mio.', 'mio', 'mrd.', 'bn'])})))"
    r"(?![A-Za-z0-9/])"
)
_MONEY_SHORT = re.compile(r"[ ]?(?P<letter>[mMB])(?![A-Za-z0-9/²³])")
_MAX_DIGITS = 30


def numerals(folded: str, language: str | None) -> tuple[Numeral, ...]:
    """All numbers of a folded text in order, none overlapping another."""
    found = [*_digits(folded, language), *han_numerals(folded)]
    taken = bytearray(len(folded))
    for numeral in found:
        taken[numeral.start : numeral.end] = b"\x01" * (numeral.end - numeral.start)
    lowered = lower(folded)
    found += [
        numeral
        for numeral in worded_numerals(lowered, language)
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


def _digits(folded: str, language: str | None) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(folded):
        raw = match.group().rstrip("".join(_VULGAR))
        if len(raw) > _MAX_DIGITS:
            continue
        vulgar = Decimal(_VULGAR.get(match.group("vulgar") or match.group("lone") or "", "0"))
        value = _read(raw, language in _COMMA_DECIMAL, money=False) + vulgar
        money = _read(raw, language in _COMMA_DECIMAL, money=True) + vulgar
        end, factor = _scaled(folded, match.end())
        yield Numeral(match.start(), end, value * factor, money * factor, worded=False)


def _read(raw: str, comma_decimal: bool, *, money: bool) -> Decimal:
    """A digit string as a number: the last mark is the decimal one unless it groups thousands."""
    if not raw:
        return Decimal(0)
    plain = raw.replace(" ", "").replace("'", "")
    marks = [c for c in plain if c in ".,"]
    if not marks:
        return Decimal(plain)
    last = marks[-1]
    whole, _, decimals = plain.rpartition(last)
    others = set(marks) - {last}
    groups = len(decimals) == 3 and whole.lstrip("-") not in ("", "0") and not others
    if marks.count(last) > 1:
        groups = True
    elif last == ".":
        groups = groups and (money or comma_decimal)
    digits = whole.replace(".", "").replace(",", "")
    return Decimal(digits + decimals) if groups else Decimal(f"{digits}.{decimals}")


def _scaled(folded: str, end: int) -> tuple[int, int]:
    """The end and factor of "25K", "2,5 Mio." and "25 thousand"."""
    if match := _SHORT_AFTER.match(folded, end):
        short = match.group("attached") or match.group("abbreviated")
        return match.end(), _SHORT[short.lower()]
    factor = 1
    while (match := re.compile(r"[ -]?" + TOKEN.pattern).match(lower(folded[end : end + 20]))) and (
        scale := _scale_word(match.group().lstrip(" -"))
    ):
        factor *= scale
        end += match.end()
    return end, factor


def _scale_word(word: str) -> int:
    values = (
        v.atoms.get(word, 0)
        for v in vocabularies().values()
        if word not in ("bin", "cent", "cents")
    )
    scale = max(values)
    return scale if scale in (100, 10**3, 10**6, 10**9) else 0


def money_scale(folded: str, end: int) -> tuple[int, int]:
    """The end and factor of an amount's "M" or "B", which are units of measure elsewhere."""
    match = _MONEY_SHORT.match(folded, end)
    if not match:
        return end, 1
    return match.end(), 10**9 if match.group("letter") == "B" else 10**6
