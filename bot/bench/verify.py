"""Is a benchmark folder sound? Five checks and three lists on every session (TRACE, L.10, L.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bot.bench.quality import LISTS
from bot.bench.session import Check, Session
from bot.bench.source_text import stands_in_file
from bot.bench.suite import Suite
from bot.context.repo import ContextRepo
from bot.provenance.words import stands_in_node, stands_in_turn
from bot.records.trajectory import Node

TOLERANCE = 0.05
NO_QUOTE = ("THUMBS_DOWN", "SESSION_ABANDONMENT", "TOOL_EXECUTION_ERROR")
ABSENCES = ("KB_CONTENT_GAP", "SYSTEM_PROMPT_GAP", "RETRIEVAL_FAILURE", "NONE")


class CheckResult(msgspec.Struct, frozen=True):
    """One check over a suite: which sessions fail it, and how."""

    title: str
    total: int
    failures: tuple[str, ...]


def tool_outputs(session: Session) -> Iterator[str]:
    """What a node read from a file is an exact copy of that file, or of lines of it."""
    for node in session.trajectory.nodes:
        for path, content in _copies(node):
            found = session.repo.resolve(path)
            if found is None:
                yield f"{node.node_id}: {path} is not in the context"
            elif not stands_in_file(found, session.repo.texts[found], content.strip()):
                yield f"{node.node_id}: its output is no exact copy of {found}"


def annotation(session: Session) -> Iterator[str]:
    """The faulty content stands in the component that the label names."""
    root = session.label.root_cause
    if root is None or root.component_path is None:
        return
    text = session.repo.texts.get(root.component_path)
    if text is None:
        if session.label.fault_category not in ABSENCES:
            yield f"{root.component_path} is not in the context"
    elif root.faulty_content and not stands_in_file(root.component_path, text, root.faulty_content):
        yield f"the faulty content does not stand in {root.component_path}"
    elif not root.faulty_content and session.label.fault_category not in ABSENCES:
        yield "a fault that is no absence needs its faulty content"


def references(session: Session) -> Iterator[str]:
    """Everything that a label names exists: nodes, fault, turns, evidence, files."""
    trajectory, label = session.trajectory, session.label
    nodes = {node.node_id for node in trajectory.nodes}
    root = label.root_cause
    named = [*label.accept_nodes, *(label.expected_attribution or {})]
    named += [root.node_id] if root and root.node_id else []
    yield from (f"there is no node {node_id}" for node_id in named if node_id not in nodes)
    known = {fault.get("fault_id") for fault in session.suite.faults}
    if label.fault_id and known and label.fault_id not in known:
        yield f"there is no fault {label.fault_id}"
    for signal in label.signals:
        if signal.signal_type not in NO_QUOTE and not stands_in_turn(
            trajectory, signal.turn_id, signal.evidence
        ):
            yield f"the evidence of {signal.signal_type} does not stand in turn {signal.turn_id}"
    expected = label.expected_recommendation
    target = expected.target if expected and expected.operation != "CREATE" else None
    if target and target not in session.repo.texts:
        yield f"the target {target} is not in the context"
    source = expected.authoritative_source if expected else None
    if source and source not in session.repo.texts:
        yield f"the authoritative source {source} is not in the context"


def first_node(session: Session) -> Iterator[str]:
    """No node before the root cause, and none of the accepted ones, shows the faulty content."""
    root = session.label.root_cause
    if root is None or root.node_id is None or not root.faulty_content:
        return
    for node in session.trajectory.nodes:
        if node.node_id == root.node_id or node.node_id in session.label.accept_nodes:
            return
        if stands_in_node(node, root.faulty_content):
            yield f"{node.node_id} shows the faulty content before {root.node_id}"


def attribution_sum(session: Session) -> Iterator[str]:
    """The expected attribution of a dissatisfied session sums to 1, within 0.05."""
    scores = session.label.expected_attribution
    if not session.label.is_dsat or not scores or session.label.root_cause is None:
        return
    total = sum(scores.values())
    without_cause = session.label.root_cause.node_id is None and total == 0
    if abs(total - 1.0) > TOLERANCE and not without_cause:
        yield f"the expected attribution sums to {total:.2f}"


CHECKS: Mapping[str, Check] = {
    "Tool Output = Source": tool_outputs,
    "Fault Annotation in Source": annotation,
    "Cross References": references,
    "Root Cause = First Faulty Node": first_node,
    "Attribution Sum": attribution_sum,
}


def verify(suite: Suite, repo: ContextRepo) -> tuple[CheckResult, ...]:
    """Every check and list over every labelled session, and a last one for the whole of it."""
    sessions = [
        Session(trajectory, suite.labels[trajectory.session_id], suite, repo)
        for trajectory in suite.trajectories
        if trajectory.session_id in suite.labels
    ]
    results = [
        _checked(f"CHECK {number} ({title})", check, sessions)
        for number, (title, check) in enumerate(CHECKS.items(), 1)
    ]
    results += [_checked(f"LIST ({title})", check, sessions) for title, check in LISTS.items()]
    unlabelled = {t.session_id for t in suite.trajectories} ^ set(suite.labels)
    failing = tuple(line for result in results for line in result.failures)
    failing += tuple(f"{name}: has no label, or no session" for name in sorted(unlabelled))
    return (*results, CheckResult("OVERALL", len(sessions), failing))


def _checked(title: str, check: Check, sessions: list[Session]) -> CheckResult:
    failures = (f"{s.trajectory.session_id}: {problem}" for s in sessions for problem in check(s))
    return CheckResult(title, len(sessions), tuple(failures))


def render(results: tuple[CheckResult, ...]) -> str:
    """`CHECK 1 (…): 75/75 PASS`, a line a check, each failing row below it, the verdict last."""
    lines = []
    for result in results:
        failing = len({line.partition(":")[0] for line in result.failures})
        passed = result.total - min(failing, result.total)
        if result.title == "OVERALL":
            lines.append(f"OVERALL: {passed}/{result.total} traces pass all verification checks")
        else:
            verdict = "FAIL" if result.failures else "PASS"
            lines.append(f"{result.title}: {passed}/{result.total} {verdict}")
            lines += [f"  {line}" for line in result.failures]
    return "\n".join(lines) + "\n"


def _copies(node: Node) -> Iterator[tuple[str, str]]:
    """(path, content) of everything that the node says it read from a file."""
    if node.type == "system_prompt":
        yield from _file_copy(node.output, None)
    elif node.type in ("skill_lookup", "kb_read") and node.tool is not None:
        asked = node.tool.input.get("path") if isinstance(node.tool.input, dict) else None
        yield from _file_copy(node.tool.output, asked)
    elif node.type == "kb_search" and node.tool is not None:
        output = node.tool.output
        results = output.get("results") if isinstance(output, dict) else None
        for result in results if isinstance(results, list) else ():
            yield from _file_copy(result, None)


def _file_copy(value: Any, asked: str | None) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        path, content = value.get("path", asked), value.get("content")
        if isinstance(path, str) and isinstance(content, str):
            yield path, content
