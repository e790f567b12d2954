"""An engine that says what it was told to say: the fake of the port, for tests and replays."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bot.context.repo import ContextRepo
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, Segment, Signal
from bot.records.report import Usage
from bot.records.trajectory import Trajectory


class Answer(msgspec.Struct, frozen=True):
    """What to say about one session; `failure` is raised instead where it is set."""

    signals: tuple[Signal, ...] = ()
    attribution: Attribution | None = None
    recommendation: Recommendation | None = None
    failure: Exception | None = None


class ScriptedEngine:
    """Answers by session id; a session without an answer gets silence."""

    name = "scripted"

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers

    def signals(self, trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]:
        """The scripted signals of the turns of that segment."""
        answer = self._answer(trajectory.session_id)
        return tuple(s for s in answer.signals if s.turn_id in segment.turn_ids)

    def attribute(self, case: Case, repo: ContextRepo) -> Attribution | None:
        """The scripted attribution."""
        return self._answer(case.trajectory.session_id).attribution

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        """The scripted recommendation."""
        return self._answer(case.trajectory.session_id).recommendation

    def usage(self) -> Usage:
        """Nothing is spent."""
        return Usage()

    def _answer(self, session_id: str) -> Answer:
        answer = self._answers.get(session_id, Answer())
        if answer.failure is not None:
            raise answer.failure
        return answer
