"""A model's attribution as an answer, and the claim that plain code makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import msgspec

from bot.engines.llm.calibration import calibrated
from bot.engines.llm.form import Form
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.verbatim import node_quote
from bot.proof import attribution
from bot.records.finding import (
    Attribution,
    ComponentType,
    Delta,
    FaultCategory,
    NodeScore,
)

CATEGORIES: tuple[FaultCategory, ...] = get_args(FaultCategory)
REPAIRED_IN: Mapping[str, ComponentType] = {
    "SKILL_FILE_STALE": "skill",
    "KB_CONTENT_STALE": "kb_entry",
    "KB_CONTENT_GAP": "kb_entry",
    "TOOL_PROMPT_ERROR": "tool_prompt",
    "SYSTEM_PROMPT_GAP": "system_prompt",
    "RETRIEVAL_FAILURE": "synonym_map",
}


class Share(msgspec.Struct, frozen=True):
    """How much of the loss one node carries."""

    node: str
    score: float


class Said(msgspec.Struct, frozen=True):
    """What a node is quoted to hold."""

    node: str
    quote: str


class Blame(msgspec.Struct, frozen=True):
    """The answer of every strategy that reads the trace itself."""

    walk: str
    root_cause_node: str
    scores: tuple[Share, ...]
    fault_category: FaultCategory
    component_path: str | None
    change: str
    quotes: tuple[Said, ...]
    confidence: float


def form(inquiry: Inquiry) -> Form[Blame]:
    """Node ids and categories are the only ones there are."""
    nodes = tuple(node.node_id for node in inquiry.trajectory.nodes)
    return Form(
        Blame,
        {"root_cause_node": nodes, "node": nodes, "fault_category": CATEGORIES},
    )


def claim(
    blame: Blame, inquiry: Inquiry, delta: Delta, strategy: str, coverage: float = 1.0
) -> Attribution:
    """The attribution with quotes found again word for word. Raises `Rejected`.

    A path that the repository does not have is left out: what was never read cannot be seen in a
    trace, and finding it is the recommender's part (TRACE, holistic attribution).
    """
    path = inquiry.repo.resolve(blame.component_path) if blame.component_path else None
    component = inquiry.repo.component(path) if path else None
    kind = REPAIRED_IN.get(blame.fault_category, "none")
    quotes = (node_quote(inquiry.trajectory, said.node, said.quote) for said in blame.quotes)
    return attribution.proved(
        Attribution(
            delta=delta,
            root_cause_node=blame.root_cause_node,
            scores=tuple(NodeScore(s.node, min(1.0, s.score)) for s in blame.scores),
            fault_category=blame.fault_category,
            component_type=component.type if component is not None else kind,
            component_path=path,
            gradient_description=blame.change.strip()[:600],
            evidence=tuple(quote for quote in quotes if quote is not None),
            hypotheses=(),
            margin=calibrated(strategy, blame.confidence),
            coverage=coverage,
        ),
        inquiry.case,
        inquiry.repo,
    )
