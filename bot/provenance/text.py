"""A text prepared once for all that look for values in it."""

from __future__ import annotations

import re

import msgspec

from bot.provenance.language import fold, lower
from bot.provenance.value import Kind, Value

TOKEN = re.compile(r"[a-zß-ɏ]+")
_DIGIT = re.compile(r"\d")


class Text(msgspec.Struct, frozen=True):
    """A text in the forms that scanners need, all of one length, so that offsets agree.

    `folded` has plain digits, blanks, quotes and hyphens, `lowered` lower case besides. `words`
    are its words in lower case and `digits` whether it has any: most scanners need not look.
    """

    raw: str
    folded: str
    lowered: str
    words: frozenset[str]
    digits: bool
    language: str | None

    def value(
        self, kind: Kind, canonical: str, span: tuple[int, int], unit: str | None = None
    ) -> Value:
        """The value at a span of the text."""
        start, end = span
        return Value(kind, canonical, start, end, self.raw[start:end], unit)


def prepared(raw: str, language: str | None) -> Text:
    """The text, which is in that language, in all its forms."""
    folded = fold(raw)
    lowered = lower(folded)
    words = frozenset(TOKEN.findall(lowered))
    digits = bool(_DIGIT.search(folded))
    return Text(raw, folded, lowered, words, digits, language)
