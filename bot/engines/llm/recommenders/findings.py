"""What every recommender is told: the dispute, and the attribution as a hypothesis."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bot.engines.llm.conversation import disputed
from bot.engines.llm.fence import fenced
from bot.engines.llm.inquiry import Inquiry
from bot.records.finding import Attribution

MOST_FILES = 150
# Their gap is put together from sentences of the session and often beside the point.
BY_RULES = ("offline", "shortlist")


def findings(inquiry: Inquiry, attribution: Attribution) -> dict[str, str]:
    """Fenced blocks by the names that the templates give them."""
    told: dict[str, Any] = {
        "root_cause_node": attribution.root_cause_node,
        "fault_category": attribution.fault_category,
        "component_path": attribution.component_path,
        "what should change": attribution.gradient_description,
        "quotes": [{"node": q.node_id, "quote": q.quote} for q in attribution.evidence],
    }
    if inquiry.options.strategy not in BY_RULES:
        gap = attribution.delta
        told = {"expected": gap.expected_outcome, "actual": gap.actual_outcome, **told}
    return {
        "conversation": fenced("conversation", disputed(inquiry.case)),
        "attribution": fenced("attribution", told),
        "files": fenced("files", _files(inquiry)),
    }


def _files(inquiry: Inquiry) -> list[Any]:
    """The paths of all context files where there are few, a line a type; folders with their counts
    where there are many."""
    components = inquiry.repo.components
    if len(components) <= MOST_FILES:
        kinds = dict.fromkeys(c.type for c in components)
        return [{kind: [c.path for c in components if c.type == kind]} for kind in kinds]
    folders = Counter((c.path.rpartition("/")[0], c.type) for c in components)
    return [
        {"folder": folder, "type": kind, "files": count}
        for (folder, kind), count in folders.most_common(MOST_FILES)
    ]
