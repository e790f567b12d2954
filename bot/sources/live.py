"""A store as a `Source`: sessions as they come, what is complete where it breaks off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from bot.errors import AccessError, SourceError, TryLater
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.http import Http
from bot.sources.query import Query, query, wanted
from bot.sources.spans.session import trajectory
from bot.sources.spans.span import NotReadable, Session
from bot.sources.store import Store
from context_repo_schema.config import Source


class LiveSource:
    """One configured store. `http` is how it is reached, with the key of the environment."""

    def __init__(self, name: str, store: Store, http: Http, source: Source) -> None:
        self._name = name
        self._store = store
        self._http = http
        self._source = source
        self.is_whole = False

    def pull(self, since: datetime | None) -> Iterator[Trajectory | Skipped]:
        """Every session in which something happened since then, the overlap before it among it;
        `is_whole` afterwards, where nothing broke off.

        Raises what the store's first answer is no good for: `AccessError`, `SourceError` or
        `TryLater`. Where a later one fails, a `Skipped` says so and the sessions before it count.
        """
        asked = query(self._source, since)
        started = False
        try:
            for found in self._sessions(asked):
                started = True
                if isinstance(found, Skipped):
                    yield found
                elif wanted(found, asked):
                    yield trajectory(found, asked.bad_votes, self._source.node_types)
        except (SourceError, AccessError, TryLater) as failure:
            if not started:
                raise
            reason = f"the rest could not be read, the next run will: {failure}"
            yield Skipped(self._name, reason, rest=True)
        else:
            self.is_whole = True

    def _sessions(self, asked: Query) -> Iterator[Session | Skipped]:
        try:
            yield from self._store.pull(self._http, asked)
        except NotReadable as problem:
            raise SourceError(f"{self._name}: an answer is not as asked for: {problem}") from None
