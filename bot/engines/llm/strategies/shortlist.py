"""Shortlist: rules write the explanations out, and one short call picks.

The answer is an id, so nothing can be invented; what the pick says was checked where it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from bot.context.authority import prefers, standing
from bot.context.repo import ContextRepo
from bot.engines.llm.calibration import calibrated
from bot.engines.llm.causal_slice import causal_order
from bot.engines.llm.conversation import claim, complaint, gist, question
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.hypotheses import Entry, acts, entries, phrases
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.listing import LEADS, Listing, listing, rows
from bot.engines.llm.sources import nearest
from bot.engines.llm.steps import steps
from bot.prompts.template import prompt
from bot.provenance.seen import asked_of
from bot.records.finding import Attribution, Classification, Hypothesis, NodeScore, RepoQuote
from bot.records.trajectory import Node

NONE, CORRECT = "none", "correct"
# So many of the best explanations bring the text that settles them before what search finds.
BEST = 3
# So many steps are told.
STEPS = 10


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


class Picked(msgspec.Struct, frozen=True):
    """What was listed, the answer, and the attribution that it makes; None where none fits."""

    listed: Listing
    pick: Pick
    attribution: Attribution | None


def shortlist(inquiry: Inquiry) -> Picked | None:
    """One call over the offline attribution's explanations; None where there are none."""
    offline = inquiry.offline
    if offline is None or not offline.hypotheses:
        return None
    listed = _listed(inquiry, offline)
    pick = _ask(inquiry, listed)
    chosen = listed.entry(pick.id)
    if chosen is None:
        return Picked(listed, pick, None)
    node = pick.node if pick.node in chosen.nodes else chosen.hypothesis.node_id
    first = replace(chosen.hypothesis, node_id=node)
    first = _settled_by(first, listed.quotes.get(pick.right), inquiry.repo)
    if not pick.exact and acts().get(f"{first.category} {first.operation}") == CORRECT:
        # Right file, wrong words: without them nobody will mend by them.
        first = replace(first, faulty=None, authority=None, repo_quotes=())
    made = led_by(offline, first, listed.entry(pick.second))
    margin = calibrated("shortlist", pick.confidence)
    return Picked(listed, pick, replace(made, margin=margin))


def led_by(offline: Attribution, first: Hypothesis, second: Entry | None = None) -> Attribution:
    """The offline attribution with another explanation first; its margin is left as it was."""
    fix = (first.category, first.operation, first.component_path)
    others = [h for h in offline.hypotheses if (h.category, h.operation, h.component_path) != fix]
    if second is not None and second.hypothesis in others:
        others = [second.hypothesis, *(h for h in others if h != second.hypothesis)]
    changed = "" if first.component_path is None else f"{first.component_path}: "
    return replace(
        offline,
        root_cause_node=first.node_id,
        scores=_scored(first, offline.scores),
        fault_category=first.category,
        component_type=first.component_type,
        component_path=first.component_path,
        text_margin=None,
        gradient_description=offline.gradient_description
        if first == offline.hypotheses[0]
        else changed + phrases().get(f"{first.category} {first.operation}", ""),
        evidence=first.session_quotes or offline.evidence,
        hypotheses=(first, *others),
    )


def _listed(inquiry: Inquiry, offline: Attribution) -> Listing:
    """The explanations, what the best of them rest on, what the repository says nearest to the
    dispute, and what the others rest on."""
    found = entries(offline.hypotheses, inquiry.trajectory)
    files = dict.fromkeys(e.hypothesis.component_path for e in found)
    within = tuple(path for path in files if path is not None)
    asked, told, first = matters(inquiry)
    near = nearest(inquiry.search, (asked, told), within, (first,))
    texts = chain(_rights(found[:BEST]), near, _rights(found[BEST:]))
    return listing(found, tuple(texts), inquiry.repo, LEADS)


def matters(inquiry: Inquiry) -> tuple[str, str, str]:
    """What the files are searched for: the complaint, the answer with what it came from, and the
    question."""
    case = inquiry.case
    said = claim(case)
    turns = {t.turn_id for t in case.trajectory.turns if t.content == said}
    work = (asked_of(n) for n in case.trajectory.nodes if n.turn_id in turns)
    return complaint(case), " ".join((*work, said)), question(case)


def done(inquiry: Inquiry, named: Sequence[str], most: int) -> list[str]:
    """The steps that are named, and so many more, first those that the answer rests on."""
    about = ("steps", inquiry.trajectory, tuple(named), most)
    return inquiry.keep(about, list[str], lambda: _done(inquiry, named, most))


def _done(inquiry: Inquiry, named: Sequence[str], most: int) -> list[str]:
    case = inquiry.case
    work = (n for n in causal_order(case, complaint(case)) if _works(inquiry.trajectory.node(n)))
    wanted = tuple(dict.fromkeys((*named, *work)))[: max(len(named), most)]
    return steps(wanted, inquiry.trajectory, inquiry.repo, (claim(case), complaint(case)))


def _works(node: Node | None) -> bool:
    """Whether a step called, read or thought, and not only heard or spoke."""
    return node is not None and (node.tool is not None or bool(node.reasoning))


def _rights(found: Sequence[Entry]) -> tuple[RepoQuote, ...]:
    return tuple(e.hypothesis.authority for e in found if e.hypothesis.authority is not None)


def _settled_by(first: Hypothesis, right: RepoQuote | None, repo: ContextRepo) -> Hypothesis:
    """The explanation with the text that the answer names; who outranks whom is for code to say."""
    if right == first.authority or first.operation == "NO_ACTION":
        return first
    if right is None or right == first.faulty:
        return replace(first, authority=None, classification="AMBIGUOUS")
    above = standing(repo, right.path)
    settled = above.status not in ("draft", "dead")
    if first.faulty is not None and first.faulty.path != right.path:
        settled = prefers(repo, above, standing(repo, first.faulty.path))[0] > 0
    quotes = tuple(quote for quote in (first.faulty, right) if quote is not None)
    kind: Classification = "SYSTEMIC" if settled else "AMBIGUOUS"
    return replace(first, authority=right, repo_quotes=quotes, classification=kind)


def _ask(inquiry: Inquiry, listed: Listing) -> Pick:
    asked = prompt(
        "shortlist",
        talk=fenced("talk", gist(inquiry.case)),
        files=fenced("files", rows(listed, inquiry.repo)),
        steps=fenced("steps", done(inquiry, listed.nodes, STEPS)),
    )
    ids = (*(entry.id for entry in listed.entries), NONE)
    choices = {"id": ids, "second": ids, "node": (*listed.nodes, NONE)}
    form = Form(Pick, {**choices, "right": (*listed.quotes, NONE)})
    return inquiry.talk(asked.rules).ask(asked.question, form, lambda pick: pick)


def _scored(first: Hypothesis, scores: Sequence[NodeScore]) -> tuple[NodeScore, ...]:
    """The offline scores at half weight, and the other half on the picked node."""
    halved = {s.node_id: replace(s, score=s.score / 2) for s in scores}
    known = halved.get(first.node_id, NodeScore(first.node_id, 0.0))
    halved[first.node_id] = NodeScore(first.node_id, known.score + 0.5, first.reason)
    return tuple(halved.values())
