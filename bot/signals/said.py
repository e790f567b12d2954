"""One message as read: its cues, its typed values, its stems and its sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

import msgspec

from bot.provenance.values import Value, values
from bot.records.trajectory import Turn
from bot.signals.lexicon import Hit, hits, plain

# What follows in a longer message is pasted matter, and reading it would take long.
_LONGEST = 4000
_END = re.compile(r"[.!?…]+(?=[\s\"'”»)]|$)|[。！？]+|\n+")
QUOTED = re.compile(r"[\"“„«「『]([^\"“”„«»「」『』\n]{4,120})[\"”“»」』]")
_WORD = re.compile(r"[^\W\d_]{3,}|[぀-ヿ一-鿿]{2}")
_STEM = 5


class Said(msgspec.Struct, frozen=True, dict=True):
    """A turn's message; everything but the text is read when first asked for."""

    turn_id: int
    text: str
    languages: tuple[str, ...]

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        """The cues in order; what is quoted blames nobody here."""
        quotes = [match.span() for match in QUOTED.finditer(self.text)]
        return tuple(_heard(hit, quotes) for hit in hits(self.text, self.languages))

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The typed values in order."""
        return values(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The first letters of the words, alike across endings; pairs of ideographs."""
        return frozenset(word[:_STEM] for word in _WORD.findall(plain(self.text)))

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each sentence, without the blanks around it."""
        return tuple(_sentences(self.text))

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(hit.cue for hit in self.hits)

    def count(self, cue: str, start: int = 0) -> int:
        """How often the cue occurs from `start` on."""
        if not start:
            return self._counts[cue]
        return sum(hit.cue == cue and hit.start >= start for hit in self.hits)

    def sentence(self, offset: int) -> str:
        """The sentence around an offset, verbatim."""
        for start, end in self.sentences:
            if offset < end:
                return self.text[start:end]
        return self.text.strip()


def said(turn: Turn, languages: tuple[str, ...]) -> Said:
    """The message of a turn, ready to be read."""
    return Said(turn.turn_id, turn.content[:_LONGEST], languages)


def _heard(hit: Hit, quotes: list[tuple[int, int]]) -> Hit:
    """The hit; a complaint within quotation marks is somebody else's."""
    quoted = hit.cue == "complaint" and any(a < hit.start < b for a, b in quotes)
    return msgspec.structs.replace(hit, cue="others") if quoted else hit


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        sentence = text[start:end]
        if sentence.strip():
            left = len(sentence) - len(sentence.lstrip())
            yield start + left, start + len(sentence.rstrip())
        start = end
