"""Whether one source ends a whole file, and whether a file was ended by any."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.authority import replaces, standing
from bot.context.everyday import everyday
from bot.context.repo import ContextRepo
from bot.context.search import title
from bot.proof.subject import headings, meant, words
from bot.records.finding import RepoQuote

NAMED = 0.6  # share of the telling words of a file's title


def replaced(repo: ContextRepo, path: str) -> bool:
    """Whether the metadata of another file says that it takes the place of this one."""
    own = standing(repo, path)
    others = (c.path for c in repo.components if c.path != path)
    return bool(own.superseded_by) or any(replaces(repo, standing(repo, p), own) for p in others)


def ends(repo: ContextRepo, target: str, quotes: Sequence[RepoQuote]) -> bool:
    """Whether a quoted source means the file that it is to end: by its metadata, or because it
    has most of the telling words of the file's title."""
    own = standing(repo, target)
    if any(replaces(repo, standing(repo, q.path), own) for q in quotes):
        return True
    said = meant(" ".join(f"{q.quote} {headings(repo, q.path, q.line)}" for q in quotes))
    telling = {w for w in words(title(repo, target)) if w.isalpha() and not everyday(w)}
    named = sum(bool(meant(word) & said) for word in telling)
    return bool(telling) and named >= NAMED * len(telling)
