"""Attribution: an engine says which node and file caused the loss, and plain code checks it."""

from __future__ import annotations

from bot.context.repo import ContextRepo
from bot.errors import Rejected
from bot.ports import Engine
from bot.proof.attribution import proved
from bot.records.finding import Attribution, Case

STEPLESS = "the session has no recorded steps; record what the agent read and did (`nodes`)"


def attribute(case: Case, engine: Engine, repo: ContextRepo) -> Attribution | None:
    """What is proved of the engine's attribution, or None where it abstains.

    Raises `Rejected` for a session without steps, and for a claim that is not proved.
    """
    if not case.trajectory.nodes:
        raise Rejected(STEPLESS)
    claim = engine.attribute(case, repo)
    return None if claim is None else proved(claim, case, repo)
