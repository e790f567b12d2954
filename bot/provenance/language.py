"""What language a text is in, and the text folded so that every offset stays the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from bot.provenance.lexicon import table

T = TypeVar("T")

# One character each way: full-width forms, the blanks between digits, quotes and hyphens.
_SAME_LENGTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    **dict.fromkeys((0xA0, 0x2007, 0x2009, 0x202F, 0x3000), " "),
    **dict.fromkeys((0x2018, 0x2019, 0x02BC), "'"),
    **dict.fromkeys((0x2010, 0x2011, 0x2212), "-"),
    **dict.fromkeys((0xFFE5,), "¥"),
}
_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile(r"[぀-ヿ]")
_HAN = re.compile(r"[一-鿿]")


def fold(text: str) -> str:
    """The text with its typographic variants made plain, character for character."""
    return text.translate(_SAME_LENGTH)


def lower(text: str) -> str:
    """Lower case, character for character (`str.lower` makes two characters of some)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def named(table: Mapping[str, T], word: str) -> T | None:
    """What a table has under a word that was matched without case, by its lower case.

    None where only `re` takes the word for one of the table: to it a Turkish dotless i and an i
    are the same, and a long s and an s.
    """
    return table.get(lower(word))


def language_of(text: str) -> str | None:
    """The language with the most function words in the text (`en`, `de`, ... `ja`, `zh`).

    None where nothing speaks for one language alone.
    """
    if _KANA.search(text):
        return "ja"
    if _HAN.search(text):
        return "zh"
    votes: dict[str, int] = {}
    for word in _WORD.findall(text[:2000].lower()):
        for language in _function_words().get(word, ()):
            votes[language] = votes.get(language, 0) + 1
    ranked = sorted(votes.items(), key=lambda item: -item[1])
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


@cache
def _function_words() -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for language, listed in table("languages").items():
        for word in listed:
            words[word] = (*words.get(word, ()), language)
    return words
