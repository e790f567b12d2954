"""Spans and votes in whatever order a file has them, given back session by session.

They wait in a temporary SQLite file, so that memory stays flat however large the export is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from bot.sources.spans.clean import clean
from bot.sources.spans.span import Session, Span, Vote
from bot.sources.spans.vocabulary import text_field

TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE span (trace TEXT, id TEXT, body BLOB);
CREATE TABLE trace (trace TEXT PRIMARY KEY, session TEXT, start INTEGER);
CREATE TABLE vote (span TEXT, trace TEXT, session TEXT, body BLOB);
"""
# The first span that names a session decides for its trace; the earliest start is the trace's.
TOLD = """
INSERT INTO trace VALUES (?, ?, ?) ON CONFLICT (trace) DO UPDATE SET
session = COALESCE(session, excluded.session),
start = MIN(COALESCE(start, excluded.start), COALESCE(excluded.start, start))
"""
# Once everything is in: which session each trace belongs to, so that no question is asked of all.
HOMES = """
CREATE TABLE home AS SELECT trace, COALESCE(session, trace) AS key FROM trace;
CREATE INDEX home_key ON home (key);
CREATE INDEX home_trace ON home (trace);
CREATE INDEX span_trace ON span (trace);
CREATE INDEX span_id ON span (id);
CREATE INDEX vote_trace ON vote (trace);
CREATE INDEX vote_span ON vote (span);
CREATE INDEX vote_session ON vote (session);
"""
SESSIONS = """
SELECT key, MAX(session IS NULL) FROM trace JOIN home USING (trace)
GROUP BY key ORDER BY MIN(start), MIN(trace.rowid)
"""
SPANS = """
SELECT body FROM home JOIN span USING (trace) WHERE key = ? ORDER BY span.rowid
"""
# A vote goes to the session that it names, or that holds its trace, or its span.
VOTES = """
SELECT body FROM vote WHERE rowid IN (
    SELECT rowid FROM vote WHERE session = :key
    UNION SELECT vote.rowid FROM home JOIN vote USING (trace) WHERE key = :key
    UNION SELECT vote.rowid FROM home JOIN span USING (trace) JOIN vote ON vote.span = span.id
    WHERE key = :key AND vote.trace IS NULL
) ORDER BY rowid
"""
LARGEST = 2**62
Kept = TypeVar("Kept", Span, Vote)


class Spool:
    """Where spans are put in any order; made by `spool()`."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store

    def put(self, item: Span | Vote) -> None:
        """Keep a span or a vote."""
        if isinstance(item, Vote):
            ids = (item.span_id, item.trace_id, item.session_id)
            self._store.execute("INSERT INTO vote VALUES (?, ?, ?, ?)", (*ids, _packed(item)))
            return
        span = clean(item)
        start = min(span.start, LARGEST) if span.start and span.start > 0 else None
        self._store.execute(TOLD, (span.trace_id, text_field(span, "session"), start))
        row = (span.trace_id, span.span_id, _packed(span))
        self._store.execute("INSERT INTO span VALUES (?, ?, ?)", row)

    def sessions(self) -> Iterator[Session]:
        """Every session with all that is known of it, the earliest first. A trace without a
        session is one of its own, under the trace's id."""
        self._store.executescript(HOMES)
        for key, derived in self._store.execute(SESSIONS).fetchall():
            spans = [_unpacked(body, Span) for (body,) in self._store.execute(SPANS, (key,))]
            votes = self._store.execute(VOTES, {"key": key})
            yield Session(
                key, tuple(spans), tuple(_unpacked(body, Vote) for (body,) in votes), bool(derived)
            )


@contextmanager
def spool() -> Iterator[Spool]:
    """An empty spool, gone with its file afterwards."""
    store = sqlite3.connect("", isolation_level=None)
    try:
        store.executescript(TABLES)
        store.execute("BEGIN")
        yield Spool(store)
    finally:
        store.close()


def _packed(item: Span | Vote) -> bytes:
    return msgspec.msgpack.encode(item)


def _unpacked(body: bytes, kind: type[Kept]) -> Kept:
    return msgspec.msgpack.decode(body, type=kind)
