"""What needs no engine: the scores that a rule of thumb reaches on the same sessions.

Every floor answers through the same records as an engine, so that the same scorer reads it.
All of them call every session dissatisfied.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from bot.bench.suite import Label, Suite
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

PickNode = Callable[[Sequence[Node]], Node | None]


def random_node(nodes: Sequence[Node]) -> Node | None:
    """Any node, from a seed that depends on the session's node ids only."""
    seed = f"{SEED}:{'|'.join(node.node_id for node in nodes)}"
    return random.Random(seed).choice(nodes) if nodes else None


def last_node(nodes: Sequence[Node]) -> Node | None:
    """The last step."""
    return nodes[-1] if nodes else None


def first_error(nodes: Sequence[Node]) -> Node | None:
    """The first step whose tool failed, else the first step."""
    failed = (node for node in nodes if node.tool is not None and node.tool.status != "ok")
    return next(failed, nodes[0] if nodes else None)


def first_read(nodes: Sequence[Node]) -> Node | None:
    """The first step that read something from the context."""
    kinds = ("skill_lookup", "kb_search", "kb_read")
    return next((node for node in nodes if node.type in kinds), nodes[0] if nodes else None)


FLOORS: Mapping[str, PickNode] = {
    "random": random_node,
    "last node": last_node,
    "first error": first_error,
    "first read": first_read,
}


class Frequent:
    """The commonest answers of the labels; given the suites that a score may learn from."""

    def __init__(self, suites: Sequence[Suite]) -> None:
        labels = [label for suite in suites for label in suite.labels.values() if label.is_dsat]
        self.category: FaultCategory = _commonest([label.fault_category for label in labels])
        self.operation: Operation = _commonest([_operation(label) for label in labels])
        self.component: ComponentType = _commonest(
            [label.root_cause.component_type for label in labels if label.root_cause]
        )


def floor(
    suite: Suite, repo: ContextRepo, pick: PickNode, frequent: Frequent
) -> tuple[SessionResult, ...]:
    """Every session answered by the rule: its node, the commonest kind, and BM25 for the path."""
    search = _full_text(repo)
    return tuple(_answer(t, pick, frequent, search) for t in suite.trajectories)


def _answer(
    trajectory: Trajectory, pick: PickNode, frequent: Frequent, search: sqlite3.Connection
) -> SessionResult:
    node = pick(trajectory.nodes)
    path = best_path(search, " ".join(t.content for t in trajectory.turns if t.role == "user"))
    detection = Detection(is_dsat=True, confidence=1.0)
    if node is None:
        return SessionResult(trajectory.session_id, trajectory.principal, detection=detection)
    attribution = Attribution(
        delta=Delta("", "", ""),
        root_cause_node=node.node_id,
        scores=(NodeScore(node.node_id, 1.0),),
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
    return SessionResult(
        trajectory.session_id,
        trajectory.principal,
        detection=detection,
        attribution=attribution,
        recommendation=recommendation,
    )


def best_path(search: sqlite3.Connection, query: str) -> str | None:
    """The component that BM25 puts first for the words of a text."""
    words = list(islice(dict.fromkeys(re.findall(r"\w{2,}", query.lower())), 200))
    if not words:
        return None
    match = " OR ".join(f'"{word}"' for word in words)
    row = search.execute(
        "SELECT path FROM files WHERE files MATCH ? ORDER BY bm25(files), path LIMIT 1", (match,)
    ).fetchone()
    return row[0] if row else None


def _full_text(repo: ContextRepo) -> sqlite3.Connection:
    search = sqlite3.connect(":memory:")
    search.execute("CREATE VIRTUAL TABLE files USING fts5(path UNINDEXED, body, tokenize=porter)")
    search.executemany(
        "INSERT INTO files VALUES (?, ?)",
        [(c.path, repo.texts[c.path]) for c in repo.components if c.type != "schema_hint"],
    )
    return search


def _operation(label: Label) -> Operation:
    expected = label.expected_recommendation
    return expected.operation if expected else "NO_ACTION"


def _commonest(values: Sequence[T]) -> T:
    return Counter(values).most_common(1)[0][0]
