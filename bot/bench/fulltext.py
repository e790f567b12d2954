"""BM25 over a few thousand texts, kept in memory: SQLite's own full-text search."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from itertools import islice

LONGEST_QUERY = 200
QUERY = "SELECT name FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), name LIMIT ?"


class FullText:
    """Texts by name, found by the words of a query."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._search = sqlite3.connect(":memory:")
        self._search.execute(
            "CREATE VIRTUAL TABLE texts USING fts5(name UNINDEXED, body, tokenize=porter)"
        )
        self._search.executemany("INSERT INTO texts VALUES (?, ?)", texts)

    def best(self, query: str, count: int = 1) -> tuple[str, ...]:
        """The names of the best texts, best first; a draw goes by name."""
        words = islice(dict.fromkeys(re.findall(r"\w{2,}", query.lower())), LONGEST_QUERY)
        match = " OR ".join(f'"{word}"' for word in words)
        if not match:
            return ()
        return tuple(name for (name,) in self._search.execute(QUERY, (match, count)))
