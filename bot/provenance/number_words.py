"""Numbers written as words of an alphabet: `data/numerals.json` says which in which language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

import msgspec

from bot.provenance.lexicon import table
from bot.provenance.text import TOKEN

# "one thousand, two hundred" is one number; "two thousand, five of them" is not.
_GAP = re.compile(r", (?=[a-z]+ hundred\b)|[ -]{0,2}")


class Numeral(msgspec.Struct, frozen=True):
    """A number at a place. `money` is its value if it is an amount of money (`25.000 €`).

    `other` is what the marks may mean besides (`18.150`). A `weak` one may be an article or
    another language's word: it counts beside a unit only.
    """

    start: int
    end: int
    value: Decimal
    money: Decimal
    weak: bool = False
    worded: bool = True
    other: Decimal | None = None


class Vocabulary(msgspec.Struct, frozen=True):
    """The number words of one language, as `data/numerals.json` lists them."""

    atoms: dict[str, int]
    joiners: tuple[str, ...]
    articles: tuple[str, ...]
    compound: bool
    ambiguous: tuple[str, ...]
    fractions: dict[str, str]
    ordinals: dict[str, int]
    ambiguous_ordinals: tuple[str, ...]
    units_first: bool
    teens_after: tuple[int, ...]
    tens_from: int


class Token(msgspec.Struct, frozen=True):
    """A lower-case word and where it stands."""

    word: str
    start: int
    end: int


@cache
def vocabularies() -> dict[str, Vocabulary]:
    """Language code -> its number words."""
    return msgspec.convert(table("numerals")["languages"], dict[str, Vocabulary])


def worded_numerals(lowered: str, language: str | None) -> Iterator[Numeral]:
    """The numbers in words of a lower-case text, in order; the longest reading of each place."""
    tokens = [Token(m.group(), m.start(), m.end()) for m in TOKEN.finditer(lowered)]
    at = 0
    while at < len(tokens):
        readings = [
            reading
            for code in _languages_of(tokens[at].word)
            if (reading := _read(lowered, tokens, at, code, language)) is not None
        ]
        if not readings:
            at += 1
            continue
        used, numeral = max(readings, key=lambda r: (r[0], not r[1].weak))
        yield numeral
        at += used


@cache
def _languages_of(word: str) -> tuple[str, ...]:
    """The languages in which a number can begin with that word."""
    return tuple(
        code
        for code, vocabulary in vocabularies().items()
        if _atoms(word, code) or word in vocabulary.articles or word in vocabulary.fractions
    )


@cache
def _atoms(word: str, code: str) -> tuple[int, ...]:
    """The number words that a word is made of (`fünfundzwanzig` -> 5, 20); empty for none."""
    vocabulary = vocabularies()[code]
    if word in vocabulary.atoms:
        return (vocabulary.atoms[word],)
    if not vocabulary.compound or len(word) > 80:
        return ()
    return _split(word, code, True)


@cache
def _split(word: str, code: str, first: bool) -> tuple[int, ...]:
    vocabulary = vocabularies()[code]
    for size in range(len(word), 1, -1):
        head, rest = word[:size], word[size:]
        if head in vocabulary.atoms:
            tail = _split(rest, code, False) if rest else ()
            if tail or not rest:
                return (vocabulary.atoms[head], *tail)
        if head in vocabulary.joiners and rest and not first:
            tail = _split(rest, code, False)
            if tail:
                return tail
    return ()


def _read(
    text: str, tokens: list[Token], at: int, code: str, language: str | None
) -> tuple[int, Numeral] | None:
    """The number that begins at token `at` in one language, and how many tokens it takes."""
    vocabulary = vocabularies()[code]
    first = tokens[at].word
    used, value = _integer(text, tokens, at, code)
    used, value = _fraction(tokens, at, (used, value), vocabulary)
    if used == 0 and first in vocabulary.articles:
        used, value = 1, Decimal(1)
    foreign = language not in (None, code) or (language is None and code == "tr")
    if used == 0 or (used == 1 and foreign and first in vocabulary.ambiguous):
        return None
    articled = first in vocabulary.articles or first in vocabulary.fractions
    lone = value < 2 if articled else used == 1 and first in vocabulary.ambiguous
    weak = lone and (value < 2 or language != code)
    last = tokens[at + used - 1]
    weak = weak or (last.word in vocabulary.fractions and value < 1)
    return used, Numeral(tokens[at].start, last.end, value, value, weak)


def _integer(text: str, tokens: list[Token], at: int, code: str) -> tuple[int, Decimal]:
    vocabulary = vocabularies()[code]
    reader = _Reader(vocabulary)
    used, position = 0, at
    if tokens[at].word in vocabulary.articles:
        position += 1
    while position < len(tokens):
        joined = position > at and tokens[position].word in vocabulary.joiners
        here = position + 1 if joined else position
        if here >= len(tokens) or not _adjacent(text, tokens, position, here, at):
            break
        word, width = _word_at(text, tokens, here, vocabulary)
        atoms = _atoms(word, code)
        if tokens[at].word in vocabulary.articles and used == 0 and (not atoms or atoms[0] < 12):
            break
        if not atoms or not reader.feed_all(atoms):
            break
        position = here + width
        used = position - at
    return used, Decimal(reader.value)


def _word_at(text: str, tokens: list[Token], at: int, vocabulary: Vocabulary) -> tuple[str, int]:
    """The word at a token, or the two that the language counts as one (`quatre-vingt`)."""
    if at + 1 < len(tokens):
        two = text[tokens[at].start : tokens[at + 1].end]
        if two in vocabulary.atoms:
            return two, 2
    return tokens[at].word, 1


def _adjacent(text: str, tokens: list[Token], position: int, here: int, at: int) -> bool:
    gaps = ((tokens[i - 1].end, tokens[i].start) for i in {position, here} if i > at)
    return all((m := _GAP.match(text, end)) and m.end() == start for end, start in gaps)


def _fraction(
    tokens: list[Token], at: int, whole: tuple[int, Decimal], words: Vocabulary
) -> tuple[int, Decimal]:
    """Extends a number by "and a half" or "and three quarters"; or reads "half a" alone."""
    used, value = whole
    rest = [t.word for t in tokens[at + used : at + used + 4]]
    if not used:
        if rest and rest[0] in words.fractions:
            part = Decimal(words.fractions[rest[0]])
            article = len(rest) > 1 and rest[1] in words.articles
            scale = words.atoms.get(rest[2], 0) if article and len(rest) > 2 else 0
            return (3, part * scale) if scale >= 1000 else (1 + article, part)
        return used, value
    if rest[1:2] == ["of"] and rest[0] in words.fractions:
        return used + 1, value * Decimal(words.fractions[rest[0]])
    if not rest or rest[0] not in words.joiners:
        return used, value
    skip = 2 if len(rest) > 2 and rest[1] in words.articles else 1
    if len(rest) > skip and rest[skip] in words.fractions:
        return used + skip + 1, value + Decimal(words.fractions[rest[skip]])
    if len(rest) > 2 and rest[2] in words.fractions and words.atoms.get(rest[1], 9) < 4:
        return used + 3, value + words.atoms[rest[1]] * Decimal(words.fractions[rest[2]])
    return used, value


class _Reader:
    """Sums number words as they come, and refuses one that cannot continue the number."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.total = 0
        self.current = 0
        self.scale = 10**15
        self.empty = True

    @property
    def value(self) -> int:
        return self.total + self.current

    def feed_all(self, atoms: tuple[int, ...]) -> bool:
        """Feeds all atoms of one word, or none."""
        before = (self.total, self.current, self.scale, self.empty)
        for atom in atoms:
            if not self._feed(atom):
                self.total, self.current, self.scale, self.empty = before
                return False
        return True

    def _feed(self, atom: int) -> bool:
        fed = self._scale(atom) if atom >= 1000 else self._small(atom)
        self.empty = self.empty and not fed
        return fed

    def _scale(self, atom: int) -> bool:
        if self.current == 0 and 0 < self.total < atom:
            self.total *= atom
        elif atom < self.scale and (self.current or self.empty):
            self.total += max(self.current, 1) * atom
        else:
            return False
        self.current, self.scale = 0, atom
        return True

    def _small(self, atom: int) -> bool:
        rest = self.current % 100
        if atom == 0:
            return self.empty
        if atom == 100 and 0 < self.current < 100:
            self.current *= 100
            return True
        tens_then_unit = rest >= self.vocabulary.tens_from and rest % 10 == 0 and atom < 10
        unit_then_tens = 0 < rest < 10 and atom in range(20, 100, 10)
        teens = rest in self.vocabulary.teens_after and 10 <= atom < 20
        fits = self.current == 0 if atom >= 100 else rest == 0
        if not (
            fits or tens_then_unit or teens or (unit_then_tens and self.vocabulary.units_first)
        ):
            return False
        self.current += atom
        return True
