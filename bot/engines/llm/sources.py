"""Texts of the repository that may settle a matter, each with an id that an answer can name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.context.authority import standing
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.llm.clip import clip
from bot.records.finding import RepoQuote

NEAREST = 5
A_FILE = 2
LENGTH = 220
SPOKEN = 1500


def nearest(index: Index, spoken: str) -> tuple[RepoQuote, ...]:
    """The texts nearest to what was said, by words and by meaning, at most two of one file."""
    if not spoken.strip():
        return ()
    near = index.near([spoken[-SPOKEN:]])
    pull = [a + b for a, b in zip(near.lexical[0], near.semantic[0], strict=True)]
    taken: dict[str, int] = {}
    found: list[RepoQuote] = []
    for number in sorted(range(len(pull)), key=lambda n: -pull[n]):
        unit = index.units[number]
        if unit.kind in ("meta", "term") or taken.get(unit.path, 0) >= A_FILE:
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
