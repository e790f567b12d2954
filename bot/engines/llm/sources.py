"""Texts of the repository that may settle a matter, each with an id that an answer can name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from bot.context.authority import standing
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.unit import Unit
from bot.engines.llm.clip import clip
from bot.records.finding import RepoQuote

NEAREST = 5
MOST = 60
A_FILE = 2
LENGTH = 220
SPOKEN = 1500


Search = Callable[[str], tuple[Unit, ...]]


def search(index: Index, query: str) -> tuple[Unit, ...]:
    """The units that speak of something, nearest first, by words and by meaning."""
    near = index.near([query])
    pull = [a + b for a, b in zip(near.lexical[0], near.semantic[0], strict=True)]
    best = sorted(range(len(pull)), key=lambda n: -pull[n])
    found = (index.units[n] for n in best if pull[n] > 0)
    return tuple(islice((unit for unit in found if unit.kind != "meta"), MOST))


def nearest(find: Search, spoken: str) -> tuple[RepoQuote, ...]:
    """The texts nearest to what was said, at most two of one file."""
    if not spoken.strip():
        return ()
    taken: dict[str, int] = {}
    found: list[RepoQuote] = []
    for unit in find(spoken[-SPOKEN:]):
        if unit.kind == "term" or taken.get(unit.path, 0) >= A_FILE:
            continue
        taken[unit.path] = taken.get(unit.path, 0) + 1
        found.append(RepoQuote(unit.path, unit.line, unit.text))
        if len(found) == NEAREST:
            break
    return tuple(found)


def named(quotes: Sequence[RepoQuote]) -> dict[str, RepoQuote]:
    """Different texts by the ids T1, T2 and so on."""
    return {f"T{n}": quote for n, quote in enumerate(dict.fromkeys(quotes), 1)}


def rows(texts: Mapping[str, RepoQuote], repo: ContextRepo) -> list[dict[str, Any]]:
    """The texts as data for a prompt."""
    return [
        {"id": name, "place": place(quote, repo), "text": shown(quote.quote)}
        for name, quote in texts.items()
    ]


def place(quote: RepoQuote, repo: ContextRepo) -> str:
    """File and line, with a word for a file that is no authority."""
    status = standing(repo, quote.path).status
    mark = {"draft": " (a draft)", "dead": " (superseded)"}.get(status, "")
    return f"{quote.path}{mark}, line {quote.line}"


def shown(text: str) -> str:
    """A text on one line, cut where it is long."""
    return clip(" ".join(text.split()), LENGTH)
