"""The ground truth of a played session, and the definition of its fault."""

from __future__ import annotations

from typing import Any

from bot.bench.quality import tier as tier_of
from bot.bench.simulate.fault import Fault
from bot.bench.simulate.session import Marked
from bot.bench.suite import ExpectedRecommendation, Label, LabelSignal, RootCause

ROOT_SHARE = 76
WHY_MISSED = {
    "stale": "repeats the value that was read",
    "gap": "takes the silence of the source for an answer",
    "term": "takes the empty search for an answer",
    "title": "takes the empty search for an answer",
    "member": "reports the refusal as final",
    "optional": "reports the refusal as final",
    "format": "reports the refusal as final",
    "unit": "reports the amount as booked",
}


def label(played: Marked, fault: Fault | None, *, content: bool = False) -> Label:
    """The label; without a fault the context was right, and the user `content` or not."""
    tier = tier_of(len(played.trajectory.nodes))
    session = played.trajectory.session_id
    nothing = ExpectedRecommendation("NO_ACTION", None, "INCIDENTAL")
    if content:
        return Label(
            session,
            False,
            complexity=tier,
            expected_attribution={},
            expected_recommendation=nothing,
        )
    root = next((node for node, mark in played.marks.items() if mark == "root"), None)
    if fault is None:
        cause = RootCause(root) if root else None
        return Label(
            session,
            True,
            complexity=tier,
            signals=_signals(played),
            root_cause=cause,
            expected_attribution=_attribution(played) if root else {},
            expected_recommendation=nothing,
        )
    return Label(
        session,
        True,
        fault.category,
        tier,
        _signals(played),
        fault.fault_id,
        RootCause(root, fault.component_type, fault.path, fault.quote, fault.right),
        tuple(_cascade(played, fault, str(root))),
        _attribution(played),
        ExpectedRecommendation(fault.operation, fault.path, fault.classification, fault.authority),
        tuple(node for node, mark in played.marks.items() if mark == "accept"),
    )


def _signals(played: Marked) -> tuple[LabelSignal, ...]:
    found = [LabelSignal("CORRECTION", played.correction.core.strip(), played.objection)]
    if sigh := played.correction.sigh.strip():
        found.append(LabelSignal("NEGATIVE_SENTIMENT", sigh, played.objection))
    return tuple(found)


def _cascade(played: Marked, fault: Fault, root: str) -> list[dict[str, Any]]:
    return [
        {
            "node_id": node,
            "field": "output",
            "cascade_from": root,
            "why_missed": WHY_MISSED[fault.flaw],
        }
        for node, mark in played.marks.items()
        if mark == "cascade"
    ]


def _attribution(played: Marked) -> dict[str, float]:
    """The root has the most, its cascade shares the rest; hundredths, so that the sum is 1."""
    rest = [node for node, mark in played.marks.items() if mark in ("cascade", "accept")]
    each = (100 - ROOT_SHARE) // len(rest) if rest else 0
    hundredths = {
        node.node_id: each if node.node_id in rest else 0 for node in played.trajectory.nodes
    }
    root = next(node for node, mark in played.marks.items() if mark == "root")
    hundredths[root] = 100 - each * len(rest)
    return {node: share / 100 for node, share in hundredths.items()}


def definition(fault: Fault, sessions: list[str], question: str) -> dict[str, Any]:
    """The fault as a line of `faults.jsonl` (TRACE, appendix L.7)."""
    return {
        "fault_id": fault.fault_id,
        "category": fault.category,
        "faulty_source": {
            "type": fault.component_type,
            "path": fault.path,
            "section": fault.section or fault.tool or fault.topic,
            "content": fault.quote,
        },
        "correct_value": {
            "content": fault.right,
            "authoritative_source": fault.authority,
            "quote": fault.authority_quote,
        },
        "trigger": {
            "user_query": question,
            "expected_failure": WHY_MISSED[fault.flaw],
            "session_id": sessions[0] if sessions else None,
            "sessions": sessions,
        },
        "cascade_effects": [{"node": "answer", "effect": WHY_MISSED[fault.flaw]}],
    }
