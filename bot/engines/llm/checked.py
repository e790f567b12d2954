"""The stages' own checks on a claim before it is made, so that a refusal can be put to the model.

Only the stages conclude: they check the same claim again.
"""

from __future__ import annotations

from bot.context.repo import ContextRepo
from bot.engines.scripted import Answer, ScriptedEngine
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case
from bot.stages.attribute import Rejected, attribute
from bot.stages.recommend import recommend


def attribution(claim: Attribution, case: Case, repo: ContextRepo) -> Attribution:
    """The claim as the stage lets it through. Raises `Rejected`."""
    told = attribute(case, _saying(case, Answer(attribution=claim)), repo)
    if told is None:
        raise Rejected("there is no attribution")
    return told


def recommendation(
    claim: Recommendation, case: Case, attributed: Attribution, repo: ContextRepo
) -> Recommendation:
    """The claim as the stage lets it through. Raises `Rejected` or `EditRefused`."""
    told = recommend(case, attributed, _saying(case, Answer(recommendation=claim)), repo)
    if told is None:
        raise Rejected("there is no recommendation")
    return told


def _saying(case: Case, answer: Answer) -> ScriptedEngine:
    return ScriptedEngine({case.trajectory.session_id: answer})
