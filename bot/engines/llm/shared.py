"""What sessions side by side have in common: the rules, the search index, the client."""

from __future__ import annotations

import threading

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.vectors import E5, Cached, available, cache_file
from bot.engines.llm.client import Client, client
from bot.engines.llm.judged import Judged
from bot.engines.llm.kept import keeping
from bot.engines.llm.options import ModelOptions
from bot.ports import Engine


class Shared:
    """Made once for a run. `alone` guards what only one session may use at a time: the rules, and
    the making of client and index."""

    def __init__(self, options: ModelOptions, rules: Engine, asked: Client | None) -> None:
        self.keep = keeping(options)
        self.rules = Judged(rules, self.keep)
        self.alone = threading.RLock()
        self.asked = asked
        self._options = options
        self._stopped = False
        self._indexed: tuple[ContextRepo, Index] | None = None

    @property
    def client(self) -> Client:
        """The way to the model, made when it is first needed. Raises `ConfigError`."""
        with self.alone:
            if self.asked is None:
                self.asked = client(self._options)
            if self._stopped:
                self.asked.meter.stop()
            return self.asked

    def stop(self) -> None:
        """Close the way to the model, or the one that is about to be made."""
        self._stopped = True
        asked = self.asked
        if asked is not None:
            asked.meter.stop()

    def index(self, repo: ContextRepo) -> Index:
        """The search index of the repository, kept until another one comes.

        A replay does without vectors: what search found with them is in the recording.
        """
        with self.alone:
            if self._indexed is None or self._indexed[0] is not repo:
                vectors = self._options.replay is None and available()
                encoder = Cached(E5(), cache_file()) if vectors else None
                self._indexed = (repo, Index(repo, encoder))
            return self._indexed[1]
