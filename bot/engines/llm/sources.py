"""Texts of the repository that may settle a matter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Protocol

from bot.context.search import Index
from bot.context.unit import Unit
from bot.records.finding import RepoQuote

MOST = 40
# A text that is drawn less than this share of what draws the nearest speaks of something else.
FAR = 0.5
# So many of what is nearest to each thing come first, so many more at all, and of one file.
HEAD, MORE, OF_FILE = 3, 6, 3
# A bracket or a field's name tells nobody anything.
SHORTEST = 12
SPOKEN = 1500


class Search(Protocol):
    """The units that speak of something, nearest first; behind them the nearest of each file in
    `within`, however far off."""

    def __call__(self, query: str, within: tuple[str, ...] = ()) -> tuple[Unit, ...]: ...


def search(index: Index, query: str, within: tuple[str, ...] = ()) -> tuple[Unit, ...]:
    """Such units, by words and by meaning."""
    near = index.near([query])
    pull = [a + b for a, b in zip(near.lexical[0], near.semantic[0], strict=True)]
    best = sorted(range(len(pull)), key=lambda n: -pull[n])
    known = [n for n in best if pull[n] > 0 and _tells(index.units[n])]
    close = [n for n in known if pull[n] >= FAR * pull[known[0]]][:MOST]
    first = {index.units[n].path: n for n in reversed(known)}
    others = [first[path] for path in within if path in first]
    return tuple(index.units[n] for n in dict.fromkeys((*close, *others)))


def nearest(
    find: Search, spoken: Sequence[str], within: tuple[str, ...], also: Sequence[str] = ()
) -> tuple[RepoQuote, ...]:
    """The texts nearest to each thing that was said: the very nearest by turns, then one at least
    of each file in `within`, then what else is near to these things or to `also`, no file often."""
    found = [find(text[-SPOKEN:], within) for text in spoken if text.strip()]
    more = [find(text[-SPOKEN:]) for text in also if text.strip()]
    of_files = [unit for path in within for units in found for unit in _best(units, path)]
    kept = dict.fromkeys(map(_quote, (*_by_turns(found)[: HEAD * len(found)], *of_files)))
    whole = len(kept) + MORE
    for unit in _by_turns([*found, *more]):
        if len(kept) < whole and sum(quote.path == unit.path for quote in kept) < OF_FILE:
            kept[_quote(unit)] = None
    return tuple(kept)


def _by_turns(found: Sequence[Sequence[Unit]]) -> list[Unit]:
    """The nearest of each search, the next of each, and so on, but no entries of a word list."""
    ranks = zip_longest(*([u for u in units if u.kind != "term"] for units in found))
    return [unit for rank in ranks for unit in rank if unit is not None]


def _tells(unit: Unit) -> bool:
    return unit.kind != "meta" and len(unit.text) >= SHORTEST


def _best(units: Sequence[Unit], path: str) -> Sequence[Unit]:
    """The nearest of a file, if any."""
    return [unit for unit in units if unit.path == path][:1]


def _quote(unit: Unit) -> RepoQuote:
    return RepoQuote(unit.path, unit.line, unit.text)
