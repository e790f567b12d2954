"""The model engine: detector, strategy and recommender by name, and what becomes of trouble."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.engines.llm.client import Client
from bot.engines.llm.detectors import DETECTORS, Asked
from bot.engines.llm.draft import draft
from bot.engines.llm.inquiry import Attribute, Inquiry
from bot.engines.llm.messages import CallFailed, Complete
from bot.engines.llm.meter import Meter, counted, tally
from bot.engines.llm.options import ModelOptions, Recommender
from bot.engines.llm.recommenders.table import RECOMMENDERS
from bot.engines.llm.shared import Shared
from bot.engines.llm.strategies.holistic import holistic
from bot.engines.llm.strategies.second_look import second_look
from bot.engines.llm.strategies.shortlist import Picked, shortlist
from bot.engines.llm.strategies.table import STRATEGIES
from bot.errors import AccessError, ConfigError, EditRefused, ModelError, Rejected, TryLater
from bot.ports import Engine
from bot.prompts.template import digest
from bot.proof import attribution, recommendation
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
        self._settled: dict[str, Recommendation | Rejected] = {}

    @property
    def together(self) -> int:
        """How many sessions may be under way at once; only their calls to the model overlap."""
        return self._options.concurrency

    def apart(self) -> LlmEngine:
        """The same engine for one of several sessions side by side: its `usage` is of its own
        calls alone, while limits hold for all of them."""
        one = copy(self)
        one._own = tally()
        one._settled = {}
        return one

    def stop(self) -> None:
        """No further call is made; whoever waits to try again gives up."""
        self._shared.stop()

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
        """The strategy's attribution; `offline` asks nobody."""
        if not case.trajectory.nodes:
            return None
        if self._options.strategy == "offline":
            return self._ruled(case, repo)
        inquiry = self._inquiry(case, repo)
        if self._options.strategy == "shortlist":
            return self._try(lambda: self._picked(inquiry))
        return self._try(lambda: _fitting(STRATEGIES[self._options.strategy], inquiry))

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        """The recommender's claim; after `shortlist` by default what its attribution came with,
        and after `offline` what the rules mend."""
        known = self._settled.pop(case.trajectory.session_id, None)
        if isinstance(known, Rejected):
            raise known
        if known is not None:
            return known
        name = self._recommender
        if name == "offline":
            return self._change(case, attribution, repo)
        inquiry = self._inquiry(case, repo)
        return self._try(lambda: RECOMMENDERS[name](inquiry, attribution))

    def draft(self, question: str, texts: Mapping[str, str]) -> str:
        """What a user who asks this is told by these files alone, given by path."""
        return self._try(lambda: draft(question, texts, self._complete, self._options))

    def usage(self) -> Usage:
        """Calls, tokens and dollars so far."""
        return self._own.usage if self._own is not None else self._spent

    @property
    def _recommender(self) -> Recommender:
        ruled = self._options.strategy in ("offline", "shortlist")
        return self._options.recommender or ("offline" if ruled else "explore")

    def _picked(self, inquiry: Inquiry) -> Attribution | None:
        """The explanation that was picked, where the rules can mend by it; else the files are
        opened, and what they say holds. Another recommender gets the pick as it is."""
        picked = shortlist(inquiry)
        if picked is None or (picked.attribution is None and self._recommender != "offline"):
            return _fitting(partial(holistic, hints=True), inquiry)
        first = picked.attribution
        if first is not None and self._recommender != "offline":
            return first
        session = inquiry.trajectory.session_id
        if first is not None and (mended := self._mended(inquiry, first)) is not None:
            self._settled[session] = mended
            return first
        return self._looked_up(inquiry, picked)

    def _looked_up(self, inquiry: Inquiry, picked: Picked) -> Attribution:
        """The second look; where it has no usable answer the pick stands, and no fix."""
        session = inquiry.trajectory.session_id
        try:
            cause, fix = self._try(lambda: second_look(inquiry, picked))
        except Rejected as refusal:
            if picked.attribution is None:
                raise
            self._settled[session] = refusal
            return picked.attribution
        self._settled[session] = fix
        return cause

    def _mended(self, inquiry: Inquiry, picked: Attribution) -> Recommendation | None:
        """What the rules make of a pick that is sure and holds the texts to mend by."""
        if picked.margin < self._options.unsure_below or not _settled(picked):
            return None
        case, repo = inquiry.case, inquiry.repo
        try:
            proven = attribution.proved(picked, case, repo)
            claim = self._change(case, proven, repo)
            if claim is not None:
                recommendation.proved(claim, case, proven, repo)
        except (Rejected, EditRefused):
            return None
        return claim

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
