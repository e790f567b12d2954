"""Recommendation: an engine proposes the operation and the edits, and plain code checks them."""

from __future__ import annotations

from bot.context.repo import ContextRepo
from bot.ports import Engine
from bot.proof.recommendation import proved
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case


def recommend(
    case: Case, attribution: Attribution, engine: Engine, repo: ContextRepo
) -> Recommendation | None:
    """What is proved of the engine's recommendation, or None where it has none.

    Raises `Rejected` for a claim that is not proved, `EditRefused` for an edit that does not fit.
    """
    claim = engine.recommend(case, attribution, repo)
    return None if claim is None else proved(claim, case, attribution, repo)
