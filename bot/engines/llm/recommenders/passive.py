"""Passive: take the attribution at its word and propose without reading (the ablation)."""

from __future__ import annotations

from bot.engines.llm import nodes
from bot.engines.llm.clip import clip
from bot.engines.llm.fence import fenced
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.proposal import FORM, claim
from bot.engines.llm.recommenders.findings import findings
from bot.prompts.template import prompt
from bot.records.change import Recommendation
from bot.records.finding import Attribution


def passive(inquiry: Inquiry, attribution: Attribution) -> Recommendation:
    """One call, which sees of the files only what the root cause's node showed."""
    node = inquiry.trajectory.node(attribution.root_cause_node)
    shown = clip(nodes.text(node), nodes.PAGE, attribution.delta.loss_description) if node else ""
    asked = prompt("passive", **findings(inquiry, attribution), node=fenced("node", shown))
    return inquiry.talk(asked.rules).ask(
        asked.question, FORM, lambda answer: claim(answer, inquiry, attribution, "passive")
    )
