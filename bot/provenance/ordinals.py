"""Positions and references: "2nd", "the third", "section 4.2", "step 3", "第3章"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.provenance.han_numbers import han_value
from bot.provenance.language import named
from bot.provenance.lexicon import alternatives, table
from bot.provenance.number_words import vocabularies
from bot.provenance.text import Text
from bot.provenance.value import Value

_SUFFIXED = re.compile(r"(?<![\w.,])(?P<n>\d{1,4})(?:st|nd|rd|th|er|ère|ème|e|º|ª)(?![\w])")
_CJK = re.compile(
    r"第(?P<n>\d{1,4}|[一二三四五六七八九十]{1,3})(?P<unit>[章節条条項号步步部回級级页頁])?"
)
_MARKER = re.compile(r"^[ \t]*(?P<n>\d{1,2}(?:\.\d{1,2}){0,2})[.)](?=[ \t])", re.MULTILINE)


def ordinals(text: Text) -> Iterator[Value]:
    """Ordinals and numbered references; `unit` says of what (`section`, `step`), if anything."""
    if text.digits:
        for match in _reference().finditer(text.folded):
            unit = named(_leads(), match["lead"] or match["sign"])
            yield text.value("ordinal", match["n"], match.span(), unit)
        for match in _MARKER.finditer(text.folded):
            yield text.value("ordinal", match["n"], match.span(), "item")
        for match in _SUFFIXED.finditer(text.folded):
            yield text.value("ordinal", str(int(match["n"])), match.span())
    for match in _CJK.finditer(text.folded):
        number = match["n"] if match["n"].isascii() else str(han_value(match["n"]))
        yield text.value("ordinal", number, match.span(), match["unit"])
    if not text.words.isdisjoint(_words()):
        for match in _worded().finditer(text.folded):
            if (number := named(_words(), match.group())) is not None:
                yield text.value("ordinal", str(number), match.span())


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
    words = alternatives([lead for lead in _leads() if lead[-1].isalpha()])
    signs = alternatives([lead for lead in _leads() if not lead[-1].isalpha()])
    return re.compile(
        rf"(?<!\w)(?:(?P<lead>(?i:{words}))[ ]|(?P<sign>(?i:{signs}))[ ]?)"
        r"(?P<n>\d{1,4}(?:\.\d{1,3})*)(?![\w%]|[.,]\d| ?[%€$£])"
    )


@cache
def _worded() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?i:{alternatives(list(_words()))})(?![\w-])")
