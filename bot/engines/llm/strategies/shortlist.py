"""Shortlist: rules write the explanations out, and one short call picks.

The answer is an id, so nothing can be invented; what the pick says was checked where it was made.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from bot.engines.llm.calibration import calibrated
from bot.engines.llm.conversation import disputed
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.hypotheses import Entry, entries, phrases, row
from bot.engines.llm.inquiry import Inquiry
from bot.prompts.template import prompt
from bot.records.finding import Attribution, Hypothesis, NodeScore

NONE = "none"


class Pick(msgspec.Struct, frozen=True):
    """The answer: ids of the list only; `exact` says whether the texts are the very ones."""

    why: str
    id: str
    node: str
    exact: bool
    second: str
    confidence: float


def shortlist(inquiry: Inquiry) -> Attribution | None:
    """The offline attribution with the picked explanation first; None where none fits."""
    offline = inquiry.offline
    if offline is None or not offline.hypotheses:
        return None
    listed = entries(offline.hypotheses, inquiry.trajectory)
    pick = _ask(inquiry, listed)
    chosen = next((entry for entry in listed if entry.id == pick.id), None)
    if chosen is None:
        return None
    second = next((entry for entry in listed if entry.id == pick.second), None)
    node = pick.node if pick.node in chosen.nodes else chosen.nodes[0]
    first = replace(chosen.hypothesis, node_id=node)
    if not pick.exact:
        # Right file, wrong words: without them nobody will mend by them.
        first = replace(first, faulty=None, authority=None, repo_quotes=())
    return _with_first(offline, first, second, pick)


def _ask(inquiry: Inquiry, listed: Sequence[Entry]) -> Pick:
    rows = [row(entry, inquiry.trajectory, inquiry.repo) for entry in listed]
    asked = prompt(
        "shortlist",
        conversation=fenced("conversation", disputed(inquiry.case)),
        hypotheses=fenced("explanations", rows),
    )
    ids = (*(entry.id for entry in listed), NONE)
    nodes = (*dict.fromkeys(node for entry in listed for node in entry.nodes), NONE)
    form = Form(Pick, {"id": ids, "second": ids, "node": nodes})
    return inquiry.talk(asked.rules).ask(asked.question, form, lambda pick: pick)


def _with_first(
    offline: Attribution, first: Hypothesis, second: Entry | None, pick: Pick
) -> Attribution:
    fix = (first.category, first.operation, first.component_path)
    others = [h for h in offline.hypotheses if (h.category, h.operation, h.component_path) != fix]
    if second is not None and second.hypothesis in others:
        others = [second.hypothesis, *(h for h in others if h != second.hypothesis)]
    changed = "" if first.component_path is None else f"{first.component_path}: "
    return replace(
        offline,
        root_cause_node=first.node_id,
        scores=_led_by(first, offline.scores),
        fault_category=first.category,
        component_type=first.component_type,
        component_path=first.component_path,
        gradient_description=offline.gradient_description
        if first == offline.hypotheses[0]
        else changed + phrases()[f"{first.category} {first.operation}"],
        evidence=first.session_quotes or offline.evidence,
        hypotheses=(first, *others),
        margin=calibrated("shortlist", pick.confidence),
    )


def _led_by(first: Hypothesis, scores: Sequence[NodeScore]) -> tuple[NodeScore, ...]:
    """The offline scores at half weight, and the other half on the picked node."""
    halved = {s.node_id: replace(s, score=s.score / 2) for s in scores}
    known = halved.get(first.node_id, NodeScore(first.node_id, 0.0))
    halved[first.node_id] = NodeScore(first.node_id, known.score + 0.5, first.reason)
    return tuple(halved.values())
