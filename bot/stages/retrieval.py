"""Searching the texts as a change leaves them, by the words and the synonyms of a repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from bot.audit.claim import telling
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.unit import Unit
from bot.context.units import cut
from bot.context.words import stems
from bot.provenance.values import values
from bot.records.change import FileChange
from context_repo_schema.component import Component


class Ground:
    """A repository before any change, indexed once for the changes of a run."""

    def __init__(self, repo: ContextRepo) -> None:
        self.repo = repo

    @cached_property
    def index(self) -> Index:
        """The index, made when the first change is tried."""
        return Index(self.repo)

    @cached_property
    def stated(self) -> Mapping[str, tuple[int, ...]]:
        """The units, by number, in which a value stands, by its canonical form."""
        found: dict[str, list[int]] = {}
        for number, unit in enumerate(self.index.units):
            for canonical in {value.canonical for value in values(unit.reading)}:
                found.setdefault(canonical, []).append(number)
        return {canonical: tuple(numbers) for canonical, numbers in found.items()}


class Patched(msgspec.Struct, frozen=True):
    """What a change makes of the files it touches: texts (None is a file that goes) and units."""

    texts: Mapping[str, str]
    gone: frozenset[str]
    units: tuple[Unit, ...]

    def touches(self, path: str) -> bool:
        """Whether the change rewrites or removes that file."""
        return path in self.texts or path in self.gone

    def every(self, ground: Ground) -> tuple[Unit, ...]:
        """All units of the repository as they will be."""
        kept = (unit for unit in ground.index.units if not self.touches(unit.path))
        return (*kept, *self.units)


def patched(ground: Ground, files: Iterable[FileChange]) -> Patched:
    """The files of a change as they will be, cut into units."""
    texts: dict[str, str] = {}
    gone: set[str] = set()
    units: list[Unit] = []
    for file in files:
        if file.new_text is None:
            gone.add(file.path)
            continue
        texts[file.path] = file.new_text
        # A new file is read as the knowledge that it most often is.
        known = ground.repo.component(file.path) or Component("kb_entry", file.path)
        units.extend(cut(known, file.new_text))
    return Patched(texts, frozenset(gone), tuple(units))


def found_at(query: str, wanted: Sequence[str], ground: Ground, after: Patched) -> Iterator[int]:
    """The place, from 1 on, of each wanted file among those that the query finds; none where it
    finds nothing of the file. A file counts by its best unit, as a reader of results sees it."""
    index = ground.index
    bag = index.weighted(Counter(_widened(query, ground, after)))
    best: dict[str, float] = {}
    for number, unit in enumerate(index.units):
        if not after.touches(unit.path) and unit.kind != "term":
            _raise(best, unit.path, _dot(bag, index.bags[number]))
    for unit in after.units:
        if unit.kind != "term":
            words = Counter(stems(index.passage(unit)))
            _raise(best, unit.path, _dot(bag, index.weighted(words)))
    for path in wanted:
        if score := best.get(path, 0.0):
            yield 1 + sum(other > score for other in best.values())


def _widened(query: str, ground: Ground, after: Patched) -> tuple[str, ...]:
    """The stems of the query, with those of every term that the synonyms treat as the same."""
    asked = stems(query)
    held, wanted = frozenset(asked), telling(query)
    more: list[str] = []
    for unit in after.every(ground):
        terms = [stems(term) for term in unit.terms]
        if any(term and held.issuperset(term) for term in terms):
            more.extend(stem for term in terms for stem in term if stem not in held)
    return (*(stem for stem in asked if stem in wanted), *dict.fromkeys(more))


def _raise(best: dict[str, float], path: str, score: float) -> None:
    best[path] = max(score, best.get(path, 0.0))


def _dot(query: Mapping[str, float], unit: Mapping[str, float]) -> float:
    return sum(weight * unit.get(stem, 0.0) for stem, weight in query.items())
