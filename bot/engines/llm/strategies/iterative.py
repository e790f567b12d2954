"""Iterative attribution: one call a node, backward, then one that sums up (TRACE, Alg. 2).

N + 2 calls: the loss, a verdict for each of N nodes, and the category and file of the root cause.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from bot.engines.llm import blame, nodes
from bot.engines.llm.clip import clip
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.strategies import delta
from bot.prompts.template import prompt
from bot.records.finding import Attribution, Delta, FaultCategory, NodeScore
from bot.records.trajectory import Node

Transformation = Literal["introduced", "propagated", "amplified", "transformed", "none"]
# A score outside the band of its own verdict contradicts it, so the band holds.
BANDS: Mapping[Transformation, tuple[float, float]] = {
    "introduced": (0.7, 0.9),
    "amplified": (0.5, 0.7),
    "transformed": (0.3, 0.5),
    "propagated": (0.1, 0.2),
    "none": (0.0, 0.1),
}
DOWNSTREAM = 8
OTHERS = 400


class Verdict(msgspec.Struct, frozen=True):
    """What one node did to the error."""

    evidence: str
    transformation: Transformation
    score: float
    component_path: str | None
    change: str


class Summary(msgspec.Struct, frozen=True):
    """What the verdicts come to, for the root cause that the scores chose."""

    fault_category: FaultCategory
    component_path: str | None
    change: str
    quotes: tuple[str, ...]
    confidence: float


VERDICT: Form[Verdict] = Form(Verdict, {"transformation": get_args(Transformation)})
SUMMARY: Form[Summary] = Form(Summary, {"fault_category": blame.CATEGORIES})


def iterative(inquiry: Inquiry) -> Attribution:
    """The attribution whose scores are the nodes' own, made to sum to 1."""
    loss = delta.delta(inquiry)
    verdicts: dict[str, Verdict] = {}
    for node in reversed(inquiry.trajectory.nodes):
        verdicts[node.node_id] = _judge(inquiry, loss, node, verdicts)
    forward = {n.node_id: verdicts[n.node_id] for n in inquiry.trajectory.nodes}
    # Of equals the earliest: what came later can only have carried it on.
    root = max(forward, key=lambda node_id: forward[node_id].score)
    return _sum_up(inquiry, loss, root, forward)


def _judge(inquiry: Inquiry, loss: Delta, node: Node, later: Mapping[str, Verdict]) -> Verdict:
    about = loss.loss_description
    whole = [_brief(other, about) for other in inquiry.trajectory.nodes if other is not node]
    downstream = [
        {"node": node_id, "verdict": v.transformation, "evidence": v.evidence}
        for node_id, v in list(later.items())[-DOWNSTREAM:]
    ]
    asked = prompt(
        "iterative_node",
        loss=fenced("loss", delta.row(loss)),
        trace=fenced("trace", whole),
        node=fenced("node", clip(nodes.text(node), nodes.PAGE, about)),
        downstream=fenced("downstream", downstream),
    )

    def conclude(verdict: Verdict) -> Verdict:
        low, high = BANDS[verdict.transformation]
        return replace(verdict, score=min(high, max(low, verdict.score)))

    return inquiry.talk(asked.rules).ask(asked.question, VERDICT, conclude)


def _sum_up(
    inquiry: Inquiry, loss: Delta, root: str, verdicts: Mapping[str, Verdict]
) -> Attribution:
    node = inquiry.trajectory.node(root)
    listed = [
        {"node": node_id, "verdict": v.transformation, "score": v.score, "change": v.change}
        for node_id, v in verdicts.items()
    ]
    shown = clip(nodes.text(node), nodes.PAGE, loss.loss_description) if node else ""
    asked = prompt(
        "iterative_summary",
        loss=fenced("loss", delta.row(loss)),
        verdicts=fenced("verdicts", listed),
        node=fenced("root_cause", shown),
    )

    def conclude(summary: Summary) -> Attribution:
        answer = blame.Blame(
            walk="",
            root_cause_node=root,
            scores=tuple(blame.Share(n, v.score) for n, v in verdicts.items()),
            fault_category=summary.fault_category,
            component_path=summary.component_path or verdicts[root].component_path,
            change=summary.change or verdicts[root].change,
            quotes=tuple(blame.Said(root, quote) for quote in summary.quotes),
            confidence=summary.confidence,
        )
        made = blame.claim(answer, inquiry, loss, "iterative")
        reasons = {n: verdicts[n].transformation for n in verdicts}
        scores = tuple(NodeScore(s.node_id, s.score, reasons[s.node_id]) for s in made.scores)
        return replace(made, scores=scores)

    return inquiry.talk(asked.rules).ask(asked.question, SUMMARY, conclude)


def _brief(node: Node, about: str) -> str:
    return clip(nodes.text(node), OTHERS, about)
