"""What words mean across languages: `Kündigung` and `résiliation` share the concept `cancel`.

`concepts.tsv` is a thesaurus of everyday and business words: one concept a line, one language a
column, named by its first word. A word that it lacks means nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from bot.context.words import CJK, folded

STEM = 4  # letters that must stay when an ending is taken off
ENDING = 3  # letters of an ending at most
COMPOUND = 48  # letters of a compound at most: what is longer is no word
LONGEST = 12  # ideographs of one entry at most
EVERY, COMPOUNDING = tuple(range(9)), (1, 6)  # columns: German and Dutch write compounds as one
JOINTS = ("", "s", "n", "en", "es")  # what they put between the parts
IDEOGRAPHS = "\u3040"  # the first of them
_WORD = re.compile(rf"[{CJK}]+|[^\W\d_{CJK}]+")


def concepts(text: str) -> tuple[str, ...]:
    """The concepts of a text's words, in order, repeats kept."""
    return tuple(
        concept
        for match in _WORD.finditer(text)
        for concept in (_run(match[0]) if match[0][0] >= IDEOGRAPHS else _word(match[0]))
    )


def _plain(word: str) -> str:
    """A word as the table is asked for it: kana keep their marks, which tell sounds apart."""
    return unicodedata.normalize("NFKC", word) if word[:1] >= IDEOGRAPHS else folded(word)


class Entries(msgspec.Struct, frozen=True):
    """Concepts by whole folded word, and by word without its last letter or two."""

    whole: Mapping[str, tuple[str, ...]]
    short: Mapping[str, tuple[str, ...]]

    def find(self, word: str) -> tuple[str, ...]:
        """The concepts of a word, whole or without its ending."""
        if word in self.whole:
            return self.whole[word]
        for end in range(ENDING + 1):
            stem = word[: len(word) - end]
            if len(stem) < STEM:
                break
            if found := self.whole.get(stem) or self.short.get(stem):
                return found
        return ()


@cache
def _entries(columns: tuple[int, ...]) -> Entries:
    whole: dict[str, dict[str, None]] = {}
    short: dict[str, dict[str, None]] = {}
    table = files(__package__).joinpath("concepts.tsv").read_text(encoding="utf-8")
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        cells = [[_plain(word) for word in cell.split(",") if word] for cell in line.split("\t")]
        name = next(word for cell in cells for word in cell)
        for word in (word for column in columns for word in cells[column]):
            whole.setdefault(word, {})[name] = None
            for end in (1, 2):
                if len(word) - end >= STEM and word[0] < IDEOGRAPHS:
                    short.setdefault(word[:-end], {})[name] = None
    return Entries(
        {word: tuple(names) for word, names in whole.items()},
        {word: tuple(names) for word, names in short.items()},
    )


@lru_cache(maxsize=100_000)
def _word(word: str) -> tuple[str, ...]:
    plain = _plain(word)
    return _entries(EVERY).find(plain) or _compound(plain)


def _compound(word: str) -> tuple[str, ...]:
    """The concepts of the two parts of a compound, the longest last part first."""
    if len(word) > COMPOUND:
        return ()
    known = _entries(COMPOUNDING)
    for cut in range(STEM, len(word) - STEM + 1):
        last = known.find(word[cut:])
        if not last:
            continue
        for joint in JOINTS:
            first = word[:cut].removesuffix(joint) if word[:cut].endswith(joint) else ""
            if len(first) >= STEM and (found := known.find(first)):
                return (*found, *last)
    return ()


@lru_cache(maxsize=20_000)
def _run(run: str) -> tuple[str, ...]:
    """The concepts of a run of ideographs, the longest entry at each place."""
    whole, run = _entries(EVERY).whole, _plain(run)
    found: list[str] = []
    at = 0
    while at < len(run):
        size = next((n for n in range(LONGEST, 0, -1) if run[at : at + n] in whole), 0)
        found.extend(whole.get(run[at : at + size], ()))
        at += size or 1
    return tuple(found)
