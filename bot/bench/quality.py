"""The quality lists of TRACE (appendix L.12), as far as a program can check them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bot.bench.session import Check, Session

SIMPLE, COMPLEX = 8, 11


def tier(nodes: int) -> str:
    """The complexity of a session by its nodes (TRACE, table 9; 12 to 14 count as difficult)."""
    return "simple" if nodes <= SIMPLE else "complex" if nodes <= COMPLEX else "difficult"


def complexity(session: Session) -> Iterator[str]:
    """The label names the tier that the number of nodes says."""
    count = len(session.trajectory.nodes)
    if session.label.complexity != tier(count):
        yield f"{count} nodes are {tier(count)}, not {session.label.complexity}"


def realism(session: Session) -> Iterator[str]:
    """Times ascend, steps belong to turns, answers were said, and signals go with the verdict."""
    trajectory, label = session.trajectory, session.label
    for name, times in (
        ("turns", [turn.timestamp for turn in trajectory.turns if turn.timestamp]),
        ("nodes", [node.started_at for node in trajectory.nodes if node.started_at]),
    ):
        if times != sorted(times):
            yield f"the times of its {name} do not ascend"
    turns = {turn.turn_id for turn in trajectory.turns}
    said = {turn.content for turn in trajectory.turns if turn.role == "assistant"}
    if len({node.node_id for node in trajectory.nodes}) < len(trajectory.nodes):
        yield "two nodes have one id"
    for node in trajectory.nodes:
        if node.turn_id not in turns:
            yield f"{node.node_id} belongs to no turn"
        answer = node.output.get("response") if isinstance(node.output, dict) else None
        if node.type == "response_generation" and answer is not None and answer not in said:
            yield f"{node.node_id} gives an answer that was never said"
    if label.is_dsat != bool(label.signals):
        yield "a dissatisfied session has a signal, and no other one has"


def traceability(session: Session) -> Iterator[str]:
    """The chain is whole: fault, trigger, cascade, correction, and a source that settles it."""
    label, nodes = session.label, {node.node_id for node in session.trajectory.nodes}
    for effect in label.cascade:
        if not {effect.get("node_id"), effect.get("cascade_from")} <= nodes:
            yield f"a cascade names a node that is not there: {effect.get('node_id')}"
    scores, root = label.expected_attribution or {}, label.root_cause
    if root and root.node_id and scores and scores.get(root.node_id) != max(scores.values()):
        yield "the root cause has not the most of the attribution"
    if label.fault_category != "NONE":
        yield from _fault(session)
        yield from _settled(session)


def _fault(session: Session) -> Iterator[str]:
    label, known = session.label, {f.get("fault_id"): f for f in session.suite.faults}
    fault: dict[str, Any] | None = known.get(label.fault_id)
    if fault is None:
        if known:
            yield "its fault is not defined"
        return
    trigger = fault.get("trigger") or {}
    if label.session_id not in (trigger.get("sessions") or [trigger.get("session_id")]):
        yield f"the fault {label.fault_id} does not name this session"
    if fault.get("category") != label.fault_category:
        yield f"the fault {label.fault_id} is of another category"
    place = (fault.get("faulty_source") or {}).get("path")
    if label.root_cause and place != label.root_cause.component_path:
        yield f"the fault {label.fault_id} is in another file"


def _settled(session: Session) -> Iterator[str]:
    expected = session.label.expected_recommendation
    if expected is None or expected.operation == "NO_ACTION":
        return
    if not expected.target:
        yield f"a {expected.operation} needs a target"
    refused = any(n.tool and n.tool.status != "ok" for n in session.trajectory.nodes)
    if expected.classification == "SYSTEMIC" and not expected.authoritative_source and not refused:
        yield "a systemic fault needs a source, or a tool's error, that settles it"


LISTS: Mapping[str, Check] = {
    "Complexity Labels": complexity,
    "Realism": realism,
    "Traceability": traceability,
}
