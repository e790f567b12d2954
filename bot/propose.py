"""From what the sessions gave to pull requests: plan, replay, and describe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.context.repo import ContextRepo
from bot.lifecycle.parts import with_parts
from bot.records.plan import Planned, RunInfo
from bot.records.report import Proposal, SessionResult
from bot.run import Diagnosed
from bot.settings import Settings
from bot.stages.describe import describe
from bot.stages.plan import plan
from bot.stages.regression import with_case
from bot.stages.replay import replayed
from bot.stages.retrieval import Ground


def propose(
    found: Diagnosed, repo: ContextRepo, settings: Settings, info: RunInfo
) -> tuple[Proposal, ...]:
    """Every change set with its pull request, by rank; one of several findings also has each of
    them by itself, for what people decide between analysis and publishing."""
    ground = Ground(repo)

    def cased(units: Iterable[Planned]) -> Iterable[Planned]:
        # A case holds a user's question, so that it goes where quotes may go.
        if not (settings.limits.regression_cases and info.quotes):
            return units
        limits, spans = settings.limits, found.spans
        return (with_case(unit, found.sessions, repo, limits, spans) for unit in units)

    def described(sessions: Sequence[SessionResult]) -> tuple[Proposal, ...]:
        planned = plan(sessions, repo, settings.limits, found.spans)
        tried = (replayed(unit, sessions, ground) for unit in planned)
        return tuple(
            Proposal(
                unit.change_set,
                describe(unit.change_set, sessions, repo, unit.gates, info, unit.trials),
            )
            for unit in cased(tried)
        )

    return tuple(
        with_parts(whole, found.sessions, described) for whole in described(found.sessions)
    )
