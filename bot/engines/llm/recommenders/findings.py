"""What every recommender is told: the complaint, and the attribution as a hypothesis."""

from __future__ import annotations

from typing import Any

from bot.engines.llm.conversation import complaint, disputed
from bot.engines.llm.fence import fenced
from bot.engines.llm.inquiry import Inquiry
from bot.records.finding import Attribution


def findings(inquiry: Inquiry, attribution: Attribution) -> dict[str, str]:
    """Fenced blocks by the names that the templates give them."""
    told: dict[str, Any] = {
        "expected": attribution.delta.expected_outcome,
        "actual": attribution.delta.actual_outcome,
        "root_cause_node": attribution.root_cause_node,
        "fault_category": attribution.fault_category,
        "component_path": attribution.component_path,
        "what should change": attribution.gradient_description,
        "quotes": [{"node": q.node_id, "quote": q.quote} for q in attribution.evidence],
    }
    return {
        "conversation": fenced("conversation", disputed(inquiry.case)),
        "complaint": fenced("complaint", complaint(inquiry.case)),
        "attribution": fenced("attribution", told),
    }
