"""What needs no engine: the scores that a rule of thumb reaches on the same sessions.

Every floor answers through the same records as an engine, so that the same scorer reads it.
All of them call every session dissatisfied.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from bot.bench.fulltext import FullText
from bot.bench.suite import Suite
from bot.context.repo import ContextRepo
from bot.records.change import Recommendation
from bot.records.finding import (
    Attribution,
    ComponentType,
    Delta,
    Detection,
    FaultCategory,
    NodeScore,
    Operation,
)
from bot.records.report import SessionResult
from bot.records.trajectory import Node, Trajectory

SEED = 20260102

T = TypeVar("T")

Ranking = Callable[[Sequence[Node]], Sequence[Node]]


def random_order(nodes: Sequence[Node]) -> Sequence[Node]:
    """In random order, from a seed that depends on the session's node ids only."""
    seed = f"{SEED}:{'|'.join(node.node_id for node in nodes)}"
    return random.Random(seed).sample(nodes, len(nodes))


def last_first(nodes: Sequence[Node]) -> Sequence[Node]:
    """From the last step back."""
    return nodes[::-1]


def errors_first(nodes: Sequence[Node]) -> Sequence[Node]:
    """The steps whose tool failed, then the others, in order."""
    return sorted(nodes, key=lambda node: node.tool is None or node.tool.status == "ok")


def reads_first(nodes: Sequence[Node]) -> Sequence[Node]:
    """The steps that read something from the context, then the others, in order."""
    return sorted(nodes, key=lambda node: node.type not in ("skill_lookup", "kb_search", "kb_read"))


FLOORS: Mapping[str, Ranking] = {
    "random": random_order,
    "last node": last_first,
    "first error": errors_first,
    "first read": reads_first,
}


class Frequent:
    """The commonest answers of the labels; given the suites that a score may learn from."""

    def __init__(self, suites: Sequence[Suite]) -> None:
        labels = [label for suite in suites for label in suite.labels.values() if label.is_dsat]
        self.category: FaultCategory = _commonest(
            [label.fault_category for label in labels], "NONE"
        )
        self.operation: Operation = _commonest([label.operation for label in labels], "NO_ACTION")
        self.component: ComponentType = _commonest(
            [label.root_cause.component_type for label in labels if label.root_cause], "none"
        )


def floor(
    suite: Suite, repo: ContextRepo, order: Ranking, frequent: Frequent
) -> tuple[SessionResult, ...]:
    """Every session answered by the rule: its nodes, the commonest kind, and BM25 for the path."""
    search = FullText(
        (c.path, repo.texts[c.path]) for c in repo.components if c.type != "schema_hint"
    )
    return tuple(_answer(t, order, frequent, search) for t in suite.trajectories)


def _answer(
    trajectory: Trajectory, order: Ranking, frequent: Frequent, search: FullText
) -> SessionResult:
    nodes = order(trajectory.nodes)
    said = " ".join(turn.content for turn in trajectory.turns if turn.role == "user")
    path = next(iter(search.best(said)), None)
    found = SessionResult(
        trajectory.session_id,
        trajectory.principal,
        detection=Detection(is_dsat=True, confidence=1.0),
    )
    if not nodes:
        return found
    attribution = Attribution(
        delta=Delta("", "", ""),
        root_cause_node=nodes[0].node_id,
        scores=tuple(NodeScore(node.node_id, 0.5 ** (n + 1)) for n, node in enumerate(nodes)),
        fault_category=frequent.category,
        component_type=frequent.component,
        component_path=path,
        gradient_description="",
        evidence=(),
        hypotheses=(),
        margin=0.0,
    )
    recommendation = Recommendation(
        operation=frequent.operation,
        target_path=path,
        recommended_change="",
        classification="SYSTEMIC",
        confidence=0.0,
    )
    return msgspec.structs.replace(found, attribution=attribution, recommendation=recommendation)


def _commonest(values: Sequence[T], default: T) -> T:
    return Counter(values).most_common(1)[0][0] if values else default
