"""One repository, indexed once: similarity of any text to every unit, by words and by meaning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import mul
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from bot.context.concepts import concepts
from bot.context.repo import ContextRepo
from bot.context.unit import Unit
from bot.context.units import units
from bot.context.vectors import Encoder
from bot.context.words import stems

if TYPE_CHECKING:
    from bot.context.vectors import Matrix

Row = list[float]
Bag = Mapping[str, float]
Postings = dict[str, list[tuple[int, float]]]


class Near(msgspec.Struct, frozen=True):
    """How near some texts are to every unit: one row a text, in standard deviations above the
    mean over all units (so that scales of different measures and languages compare).

    `lexical` is the cosine of inverse-document-frequency weighted stems of text and unit with
    its headings, `semantic` that of their sentence vectors, `bare` the latter without headings,
    which tells the units of one section apart. Without an encoder both are by stems and the
    concepts that words of nine languages share.
    """

    lexical: tuple[Row, ...]
    semantic: tuple[Row, ...]
    bare: tuple[Row, ...]


class Index:
    """Units of a repository with what search needs to know of them."""

    def __init__(self, repo: ContextRepo, encoder: Encoder | None = None) -> None:
        self.repo = repo
        self.units = units(repo)
        self.encoder = encoder
        self.by_path: dict[str, list[int]] = {}
        self.by_tool: dict[str, list[int]] = {}
        for number, unit in enumerate(self.units):
            self.by_path.setdefault(unit.path, []).append(number)
            if unit.tool:
                self.by_tool.setdefault(unit.tool, []).append(number)
        self._file_words: dict[str, frozenset[str]] = {}
        self._title_words: dict[str, frozenset[str]] = {}
        self._sums: dict[tuple[int, int], Bag] = {}
        self._sections: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for number, unit in enumerate(self.units):
            self._sections.setdefault((unit.path, unit.headings), []).append(number)
        self.titles = {path: title(repo, path) for path in self.by_path}
        passages = [self.passage(unit) for unit in self.units]
        readings = [unit.reading for unit in self.units]
        counts = [Counter(meanings(text)) for text in passages]
        self.frequency = dict(Counter(term for bag in counts for term in bag))
        self.rarity = {t: math.log(1 + len(counts) / n) for t, n in self.frequency.items()}
        self._rarest = max(self.rarity.values(), default=1.0)
        self.bags = [self.weighted(bag) for bag in counts]
        self._word_bags = [self.weighted(Counter(stems(text))) for text in passages]
        self._bare_bags = [self.weighted(Counter(meanings(text))) for text in readings]
        self.words = [frozenset(stems(f"{u.key} {u.reading}")) for u in self.units]
        self.keys = [frozenset(stems(unit.key)) for unit in self.units]
        self.keyed = tuple(n for n, key in enumerate(self.keys) if key)
        self.heads = [frozenset(stems(" ".join(unit.headings[-1:]))) for unit in self.units]
        self._word_postings = _postings(self._word_bags)
        self._postings = _postings(self.bags)
        self._bare_postings = _postings(self._bare_bags)
        self.terms = {
            n: tuple(frozenset(stems(t)) for t in u.terms if stems(t))
            for n, u in enumerate(self.units)
            if u.terms
        }
        self._full = self._bare = None
        if encoder is not None:
            self._full = encoder.encode(passages, "passage")
            self._bare = encoder.encode(readings, "passage")

    def file_words(self, path: str) -> frozenset[str]:
        """Every stem of a file, with those of its titles."""
        if path not in self._file_words:
            numbers = self.by_path.get(path, ())
            self._file_words[path] = frozenset(s for n in numbers for s in self.bags[n])
        return self._file_words[path]

    def title_words(self, path: str) -> frozenset[str]:
        """The stems and concepts of a file's title."""
        if path not in self._title_words:
            self._title_words[path] = frozenset(meanings(self.titles.get(path, "")))
        return self._title_words[path]

    def kin(self, ours: Sequence[int], theirs: Sequence[int]) -> float:
        """How much two parts of the repository have in common: the cosine of the sums of their
        units (0 to 1)."""
        one, two = self._sum(ours), self._sum(theirs)
        small, large = sorted((one, two), key=len)
        return math.fsum(w * large[s] for s, w in small.items() if s in large)

    def _sum(self, numbers: Sequence[int]) -> Bag:
        """The bags of some neighbouring units as one of length 1."""
        key = (numbers[0], len(numbers)) if numbers else (0, 0)
        if key not in self._sums:
            total: dict[str, float] = {}
            for number in numbers:
                for stem, weight in self._bare_bags[number].items():
                    total[stem] = total.get(stem, 0.0) + weight
            norm = math.sqrt(math.fsum(w * w for w in total.values())) or 1.0
            self._sums[key] = {s: w / norm for s, w in total.items()}
        return self._sums[key]

    def peers(self, number: int) -> list[int]:
        """The units under the same headings, itself among them."""
        unit = self.units[number]
        return self._sections[unit.path, unit.headings]

    def passage(self, unit: Unit) -> str:
        """A unit with what a reader sees around it: title, headings, key."""
        chain = [self.titles.get(unit.path, ""), *unit.headings[-2:]]
        if unit.key and unit.kind != "row":
            chain.append(unit.key.replace("_", " "))
        context = " > ".join(dict.fromkeys(part for part in chain if part))
        return f"{context}: {unit.reading}" if context else unit.reading

    def weighted(self, bag: Mapping[str, int]) -> dict[str, float]:
        """A bag of stems as a vector of length 1; stems that no unit has weigh nothing."""
        raw = {s: (1 + math.log(n)) * self.rarity.get(s, 0.0) for s, n in bag.items()}
        norm = math.sqrt(sum(w * w for w in raw.values())) or 1.0
        return {s: w / norm for s, w in raw.items() if w}

    def near(self, texts: Sequence[str]) -> Near:
        """How near each text is to every unit."""
        words = (self.weighted(Counter(stems(text))) for text in texts)
        lexical = tuple(self._dots(bag, self._word_postings) for bag in words)
        if self.encoder is None or not texts:
            return self._meant(lexical, [self.weighted(Counter(meanings(t))) for t in texts])
        vectors = self.encoder.encode(texts, "query")
        return Near(lexical, _products(vectors, self._full), _products(vectors, self._bare))

    def neighbours(self, numbers: Sequence[int]) -> Near:
        """How near some units are to every unit, by the same measures."""
        lexical = tuple(self._dots(self._word_bags[n], self._word_postings) for n in numbers)
        if self._full is None or self._bare is None or not numbers:
            full = tuple(self._dots(self.bags[n], self._postings) for n in numbers)
            bare = tuple(self._dots(self._bare_bags[n], self._bare_postings) for n in numbers)
            return Near(lexical, full, bare)
        rows = list(numbers)
        return Near(
            lexical,
            _products(self._full[rows], self._full),
            _products(self._bare[rows], self._bare),
        )

    def bare(self, number: int) -> Row:
        """How near one unit is to every unit by meaning without headings, as in `neighbours`."""
        if self._bare is None:
            return self._dots(self._bare_bags[number], self._bare_postings)
        return _products(self._bare[[number]], self._bare)[0]

    def _meant(self, lexical: tuple[Row, ...], bags: Sequence[Bag]) -> Near:
        full = tuple(self._dots(bag, self._postings) for bag in bags)
        return Near(lexical, full, tuple(self._dots(bag, self._bare_postings) for bag in bags))

    def mass(self, words: AbstractSet[str]) -> float:
        """How much some words tell together: the logarithm of their rarity."""
        return math.log1p(math.fsum(self.rarity.get(word, 0.0) for word in words))

    def coverage(self, stem_set: AbstractSet[str], covering: AbstractSet[str]) -> float:
        """The share of a text's rare words that another holds, weighed by rarity (0 to 1)."""
        # Sets come in no order that two runs share, and a plain sum depends on it.
        total = math.fsum(self.rarity.get(s, self._rarest) for s in stem_set)
        held = math.fsum(self.rarity.get(s, self._rarest) for s in stem_set & covering)
        return held / total if total else 0.0

    def _dots(self, bag: Bag, postings: Postings) -> Row:
        row = [0.0] * len(self.units)
        for stem, weight in bag.items():
            for number, other in postings.get(stem, ()):
                row[number] += weight * other
        return _standard(row)


def meanings(text: str) -> tuple[str, ...]:
    """The stems of a text and the concepts of its words, which carry a mark."""
    return (*stems(text), *(f"~{concept}" for concept in concepts(text)))


def _postings(bags: Sequence[Bag]) -> Postings:
    found: dict[str, list[tuple[int, float]]] = {}
    for number, bag in enumerate(bags):
        for stem, weight in bag.items():
            found.setdefault(stem, []).append((number, weight))
    return found


def _products(vectors: Matrix, units: Matrix | None) -> tuple[Row, ...]:
    """Standardised cosines of some vectors with all units."""
    assert units is not None
    if not len(units):
        return tuple([] for _ in vectors)
    products = vectors @ units.T
    mean = products.mean(axis=1, keepdims=True)
    spread = products.std(axis=1, keepdims=True)
    spread[spread == 0] = 1.0
    return tuple(((products - mean) / spread).tolist())


def title(repo: ContextRepo, path: str) -> str:
    """What a file calls itself: frontmatter title or name, first heading, or its file name."""
    component = repo.component(path)
    meta = component.meta if component is not None else {}
    for key in ("title", "name"):
        if isinstance(meta.get(key), str):
            return str(meta[key]).replace("-", " ")
    for line in repo.texts.get(path, "").splitlines()[:40]:
        if line.startswith("# ") and not path.endswith((".yml", ".yaml", ".sql")):
            return line[2:].strip()
    return PurePosixPath(path).stem.replace("-", " ").replace("_", " ")


def _standard(row: Sequence[float]) -> Row:
    if not row:
        return []
    mean = sum(row) / len(row)
    spread = math.sqrt(max(sum(map(mul, row, row)) / len(row) - mean * mean, 0.0)) or 1.0
    return [(x - mean) / spread for x in row]
