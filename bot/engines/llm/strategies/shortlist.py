"""Shortlist: rules write the explanations out, and one short call picks.

The answer is an id, so nothing can be invented; what the pick says was checked where it was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from bot.context.authority import prefers, standing
from bot.context.repo import ContextRepo
from bot.engines.llm.calibration import calibrated
from bot.engines.llm.conversation import disputed
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.hypotheses import Entry, entries, phrases, row
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.sources import named, nearest, rows
from bot.prompts.template import prompt
from bot.records.finding import Attribution, Classification, Hypothesis, NodeScore, RepoQuote

NONE = "none"


class Pick(msgspec.Struct, frozen=True):
    """The answer: ids only. `right` is the text that settles it, `exact` says whether the text at
    fault is the very one."""

    why: str
    id: str
    node: str
    right: str
    exact: bool
    second: str
    confidence: float


def shortlist(inquiry: Inquiry) -> Attribution | None:
    """The offline attribution with the picked explanation first; None where none fits."""
    offline = inquiry.offline
    if offline is None or not offline.hypotheses:
        return None
    listed = entries(offline.hypotheses, inquiry.trajectory)
    texts = _texts(inquiry, listed)
    pick = _ask(inquiry, listed, texts)
    chosen = next((entry for entry in listed if entry.id == pick.id), None)
    if chosen is None:
        return None
    second = next((entry for entry in listed if entry.id == pick.second), None)
    node = pick.node if pick.node in chosen.nodes else chosen.nodes[0]
    first = replace(chosen.hypothesis, node_id=node)
    first = _settled_by(first, texts.get(pick.right), inquiry.repo)
    if not pick.exact:
        # Right file, wrong words: without them nobody will mend by them.
        first = replace(first, faulty=None, authority=None, repo_quotes=())
    return _with_first(offline, first, second, pick)


def _texts(inquiry: Inquiry, listed: Sequence[Entry]) -> dict[str, RepoQuote]:
    """What the explanations rest on, and what the repository says nearest to the dispute."""
    rights = [e.hypothesis.authority for e in listed if e.hypothesis.authority is not None]
    spoken = "\n".join(str(said) for turn in disputed(inquiry.case) for said in turn.values())
    return named((*rights, *nearest(inquiry.search, spoken)))


def _settled_by(first: Hypothesis, right: RepoQuote | None, repo: ContextRepo) -> Hypothesis:
    """The explanation with the text that the answer names; who outranks whom is for code to say."""
    if right == first.authority or first.operation == "NO_ACTION":
        return first
    if right is None:
        return replace(first, authority=None, classification="AMBIGUOUS")
    above = standing(repo, right.path)
    settled = above.status not in ("draft", "dead")
    if first.faulty is not None and first.faulty.path != right.path:
        settled = prefers(repo, above, standing(repo, first.faulty.path))[0] > 0
    quotes = tuple(quote for quote in (first.faulty, right) if quote is not None)
    kind: Classification = "SYSTEMIC" if settled else "AMBIGUOUS"
    return replace(first, authority=right, repo_quotes=quotes, classification=kind)


def _ask(inquiry: Inquiry, listed: Sequence[Entry], texts: Mapping[str, RepoQuote]) -> Pick:
    told = [row(entry, inquiry.trajectory, inquiry.repo, texts) for entry in listed]
    asked = prompt(
        "shortlist",
        conversation=fenced("conversation", disputed(inquiry.case)),
        hypotheses=fenced("explanations", told),
        texts=fenced("texts", rows(texts, inquiry.repo)),
    )
    ids = (*(entry.id for entry in listed), NONE)
    nodes = (*dict.fromkeys(node for entry in listed for node in entry.nodes), NONE)
    form = Form(Pick, {"id": ids, "second": ids, "node": nodes, "right": (*texts, NONE)})
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
