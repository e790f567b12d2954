"""One repository, indexed once: similarity of any text to every unit, by words and by meaning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from bot.context.repo import ContextRepo
from bot.context.unit import Unit
from bot.context.units import units
from bot.context.vectors import Encoder
from bot.context.words import stems

Row = list[float]
Bag = Mapping[str, float]


class Near(msgspec.Struct, frozen=True):
    """How near some texts are to every unit: one row a text, in standard deviations above the
    mean over all units (so that scales of different measures and languages compare).

    `lexical` is the cosine of inverse-document-frequency weighted stems, `semantic` that of
    sentence vectors (equal to `lexical` where there is no encoder).
    """

    lexical: tuple[Row, ...]
    semantic: tuple[Row, ...]


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
        self.titles = {path: title(repo, path) for path in self.by_path}
        bags = [Counter(stems(self.passage(unit))) for unit in self.units]
        seen = Counter(stem for bag in bags for stem in bag)
        self.rarity = {s: math.log(1 + len(bags) / n) for s, n in seen.items()}
        self.bags = [self.weighted(bag) for bag in bags]
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for number, bag in enumerate(self.bags):
            for stem, weight in bag.items():
                self._postings.setdefault(stem, []).append((number, weight))
        passages = [self.passage(unit) for unit in self.units]
        self._matrix = encoder.encode(passages, "passage") if encoder is not None else None

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
        lexical = tuple(_standard(self._cosines(text)) for text in texts)
        if self.encoder is None or not texts:
            return Near(lexical, lexical)
        products = self.encoder.encode(texts, "query") @ self._matrix.T  # type: ignore[union-attr]
        return Near(lexical, tuple(_standard(row.tolist()) for row in products))

    def neighbours(self, numbers: Sequence[int]) -> Near:
        """How near some units are to every unit, by the same measures."""
        lexical = tuple(_standard(self._dots(self.bags[n])) for n in numbers)
        if self._matrix is None or not numbers:
            return Near(lexical, lexical)
        products = self._matrix[list(numbers)] @ self._matrix.T
        return Near(lexical, tuple(_standard(row.tolist()) for row in products))

    def coverage(self, stem_set: set[str], covering: set[str]) -> float:
        """The share of a text's rare words that another holds, weighed by rarity (0 to 1)."""
        rarest = max(self.rarity.values(), default=1.0)
        total = sum(self.rarity.get(s, rarest) for s in stem_set)
        held = sum(self.rarity.get(s, rarest) for s in stem_set & covering)
        return held / total if total else 0.0

    def _cosines(self, text: str) -> Row:
        return self._dots(self.weighted(Counter(stems(text))))

    def _dots(self, bag: Bag) -> Row:
        row = [0.0] * len(self.units)
        for stem, weight in bag.items():
            for number, other in self._postings.get(stem, ()):
                row[number] += weight * other
        return row


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
    spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row)) or 1.0
    return [(x - mean) / spread for x in row]
