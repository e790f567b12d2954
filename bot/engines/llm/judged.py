"""The rules with a memory: a recording of a model's answers holds what they said, too."""

from __future__ import annotations

from bot.context.repo import ContextRepo
from bot.engines.llm.kept import Keep
from bot.ports import Engine
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, Segment, Signal
from bot.records.report import Usage
from bot.records.trajectory import Trajectory


class Judged:
    """The engine inside, as `keep` remembers it."""

    def __init__(self, inner: Engine, keep: Keep) -> None:
        self.name = inner.name
        self._inner = inner
        self._keep = keep

    def signals(self, trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]:
        """The signals of that segment."""
        return self._keep(
            ("signals", trajectory, segment),
            tuple[Signal, ...],
            lambda: self._inner.signals(trajectory, segment),
        )

    def attribute(self, case: Case, repo: ContextRepo) -> Attribution | None:
        """The explanations of that case."""
        return self._keep(
            ("explanations", case.trajectory, case.detection.trigger_turn_id),
            Attribution | None,
            lambda: self._inner.attribute(case, repo),
        )

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        """The change that mends that attribution."""
        return self._keep(
            ("change", case.trajectory, attribution),
            Recommendation | None,
            lambda: self._inner.recommend(case, attribution, repo),
        )

    def usage(self) -> Usage:
        """What the engine inside has spent."""
        return self._inner.usage()
