"""The model engine: detector, strategy and recommender by name, and what becomes of trouble."""

from __future__ import annotations

import logging
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.engines.llm.client import Client
from bot.engines.llm.detectors import DETECTORS, Asked
from bot.engines.llm.inquiry import Attribute, Inquiry
from bot.engines.llm.messages import CallFailed, Complete
from bot.engines.llm.meter import Meter, counted, tally
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.recommenders.table import RECOMMENDERS
from bot.engines.llm.shared import Shared
from bot.engines.llm.strategies.holistic import holistic
from bot.engines.llm.strategies.shortlist import shortlist
from bot.engines.llm.strategies.table import STRATEGIES
from bot.errors import AccessError, ConfigError, EditRefused, ModelError, Rejected, TryLater
from bot.ports import Engine
from bot.prompts.template import digest
from bot.proof import recommendation
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, Segment, Signal
from bot.records.report import Usage
from bot.records.trajectory import Trajectory

log = logging.getLogger("trace-bot")
T = TypeVar("T")


class LlmEngine:
    """Asks a model by the methods that the options name; `offline` gives hypotheses and hints.

    Trouble that every session would meet ends the run (`TraceBotError`); trouble of one session
    is `Rejected` with its reason, and the next one goes on.
    """

    name = "llm"

    def __init__(self, options: ModelOptions, offline: Engine, asked: Client | None = None) -> None:
        self._options = options
        self._shared = Shared(options, offline, asked)
        self._own: Meter | None = None

    @property
    def together(self) -> int:
        """How many sessions may be under way at once; only their calls to the model overlap."""
        return self._options.concurrency

    def apart(self) -> LlmEngine:
        """The same engine for one of several sessions side by side: its `usage` is of its own
        calls alone, while limits hold for all of them."""
        one = copy(self)
        one._own = tally()
        return one

    @property
    def prompts(self) -> str:
        """Which wording is in force: the digest of all templates."""
        return digest()

    def signals(self, trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]:
        """The detector's signals; the offline engine's where the model has no answer."""
        with self._shared.alone:
            offline = self._shared.rules.signals(trajectory, segment)
        detect = DETECTORS[self._options.detector]
        try:
            return self._try(
                lambda: detect(Asked(trajectory, segment, offline, self._complete, self._options))
            )
        except Rejected as refusal:
            log.warning("the detector fell back to rules: %s", refusal)
            return offline

    def attribute(self, case: Case, repo: ContextRepo) -> Attribution | None:
        """The strategy's attribution. Where the shortlist says `none`, the whole session is read,
        with the list as hints; `offline` asks nobody."""
        if not case.trajectory.nodes:
            return None
        if self._options.strategy == "offline":
            return self._ruled(case, repo)
        inquiry = self._inquiry(case, repo)
        if self._options.strategy != "shortlist":
            return self._try(lambda: _fitting(STRATEGIES[self._options.strategy], inquiry))
        return self._try(
            lambda: shortlist(inquiry) or _fitting(partial(holistic, hints=True), inquiry)
        )

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        """The recommender's claim. `offline` mends what a model was sure of; the rest is explored.
        What the rules chose themselves they mend, sure or not."""
        strategy = self._options.strategy
        ruled = strategy in ("offline", "shortlist")
        name = self._options.recommender or ("offline" if ruled else "explore")
        if name != "offline":
            return self._explored(name, case, attribution, repo)
        if strategy == "offline":
            return self._change(case, attribution, repo)
        mended = self._mended(case, attribution, repo)
        return mended or self._explored("explore", case, attribution, repo)

    def usage(self) -> Usage:
        """Calls, tokens and dollars so far."""
        return self._own.usage if self._own is not None else self._spent

    def _mended(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        if attribution.margin < self._options.unsure_below or not _settled(attribution):
            return None
        claim = self._change(case, attribution, repo)
        if claim is None:
            return None
        try:
            recommendation.proved(claim, case, attribution, repo)
        except (Rejected, EditRefused):
            return None
        return claim

    def _explored(
        self, name: str, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation:
        inquiry = self._inquiry(case, repo)
        return self._try(lambda: RECOMMENDERS[name](inquiry, attribution))

    def _inquiry(self, case: Case, repo: ContextRepo) -> Inquiry:
        wanted = self._options.hints or self._options.strategy == "shortlist"
        shared = self._shared
        offline = self._ruled(case, repo) if wanted else None
        return Inquiry(
            case,
            repo,
            self._complete,
            self._options,
            lambda: shared.index(repo),
            offline,
            shared.keep,
        )

    def _ruled(self, case: Case, repo: ContextRepo) -> Attribution | None:
        with self._shared.alone:
            return self._shared.rules.attribute(case, repo)

    def _change(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        with self._shared.alone:
            return self._shared.rules.recommend(case, attribution, repo)

    @property
    def _complete(self) -> Complete:
        complete = self._shared.client.complete
        return complete if self._own is None else counted(complete, self._own)

    @property
    def _spent(self) -> Usage:
        """What all sessions together have spent."""
        asked = self._shared.asked
        return asked.meter.usage if asked is not None else Usage()

    def _try(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except CallFailed as failure:
            raise self._meaning(failure) from failure

    def _meaning(self, failure: CallFailed) -> Exception:
        reason = str(failure)
        if failure.trouble == "denied":
            return AccessError(f"{reason}; check the key of {self._options.model}")
        if failure.trouble == "unknown":
            return ConfigError(f"{reason}; check the name {self._options.model} and api_base")
        answered = self._spent.llm_calls > 0
        if failure.trouble == "limited" and not answered:
            return TryLater(f"{reason}; the model's rate limit holds, try again later")
        if failure.trouble == "failing" and not answered:
            return ModelError(f"{reason}; no model call has succeeded in this run")
        return Rejected(reason)


def _fitting(strategy: Attribute, inquiry: Inquiry) -> Attribution:
    """The strategy's attribution; a model that finds the session too long gets a quarter of it,
    and reads the rest on demand."""
    try:
        return strategy(inquiry)
    except CallFailed as failure:
        if failure.trouble != "too_long":
            raise
    options = inquiry.options
    return strategy(
        replace(inquiry, options=replace(options, trace_tokens=options.trace_tokens // 4))
    )


def _settled(attribution: Attribution) -> bool:
    """Whether the first hypothesis holds the texts that a fix can be made from."""
    first = next(iter(attribution.hypotheses), None)
    if first is None:
        return False
    return first.operation == "NO_ACTION" or bool(first.faulty or first.authority)
