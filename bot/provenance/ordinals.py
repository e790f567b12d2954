"""Positions and references: "2nd", "the third", "section 4.2", "step 3", "第3章"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.provenance.han_numbers import han_value
from bot.provenance.language import lower
from bot.provenance.lexicon import alternatives, table
from bot.provenance.number_words import vocabularies
from bot.provenance.value import Value

_SUFFIXED = re.compile(r"(?<![\w.,])(?P<n>\d{1,4})(?:st|nd|rd|th|er|ère|ème|e|º|ª)(?![\w])")
_CJK = re.compile(
    r"第(?P<n>\d{1,4}|[一二三四五六七八九十]{1,3})(?P<unit>[章節条条項号步步部回級级页頁])?"
)
_MARKER = re.compile(r"^[ \t]*(?P<n>\d{1,2}(?:\.\d{1,2}){0,2})[.)](?=[ \t])", re.MULTILINE)


def ordinals(text: str, folded: str) -> Iterator[Value]:
    """Ordinals and numbered references; `unit` says of what (`section`, `step`), if anything."""
    for match in _reference().finditer(folded):
        unit = _leads()[lower(match.group("lead"))]
        yield _ordinal(text, match, match.group("n").rstrip("."), unit)
    for match in _MARKER.finditer(folded):
        yield _ordinal(text, match, match.group("n"), "item")
    for match in _SUFFIXED.finditer(folded):
        yield _ordinal(text, match, str(int(match.group("n"))), None)
    for match in _CJK.finditer(folded):
        raw = match.group("n")
        number = raw if raw.isascii() else str(han_value(raw))
        yield _ordinal(text, match, number, match.group("unit"))
    for match in _worded().finditer(folded):
        yield _ordinal(text, match, str(_words()[lower(match.group())]), None)


def _ordinal(text: str, match: re.Match[str], canonical: str, unit: str | None) -> Value:
    return Value("ordinal", canonical, *match.span(), text[match.start() : match.end()], unit)


@cache
def _leads() -> dict[str, str]:
    return {word: unit for unit, words in table("references").items() for word in words}


@cache
def _words() -> dict[str, int]:
    return {
        word: n
        for v in vocabularies().values()
        for word, n in v.ordinals.items()
        if word not in v.ambiguous_ordinals
    }


@cache
def _reference() -> re.Pattern[str]:
    leads = alternatives(list(_leads()))
    return re.compile(
        rf"(?<!\w)(?P<lead>(?i:{leads}))[ ]?(?P<n>\d{{1,4}}(?:\.\d{{1,3}})*)"
        r"(?![\w%]|[.,]\d| ?[%€$£])"
    )


@cache
def _worded() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?i:{alternatives(list(_words()))})(?![\w-])")
