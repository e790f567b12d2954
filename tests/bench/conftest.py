"""A small suite on disk, and an engine that answers as it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.context.repo import ContextRepo
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, Segment, Signal
from bot.records.report import Usage
from bot.records.trajectory import Trajectory

PAGE = "# Fees\n\n## Late payment\n\nThe late fee is $40.\n"
POLICY = "---\nauthority: policy\n---\n\n# Fee policy\n\nThe late fee is $25.\n"
SKILL = "---\nname: pay\ndescription: Pays.\n---\n\n# Pay\n\nLook the fee up.\n"
ARTICLE = {"id": "a1", "title": "Cards", "content": "# Cards\n\nA lost card costs $10.\n"}

Rows = list[dict[str, Any]]


def sessions() -> Rows:
    """One dissatisfied session and one control."""
    first = {
        "schema": "trace-bot/trajectory/v1",
        "session_id": "s-1",
        "turns": [
            {"turn_id": 1, "role": "user", "content": "How much is the late fee?"},
            {"turn_id": 2, "role": "assistant", "content": "It is $40."},
            {"turn_id": 3, "role": "user", "content": "My letter says 25 dollars."},
        ],
        "nodes": [
            {
                "node_id": "n1",
                "turn_id": 1,
                "type": "user_query_processing",
                "input": {"raw_query": "How much is the late fee?"},
            },
            {
                "node_id": "n2",
                "turn_id": 2,
                "type": "kb_read",
                "tool": {
                    "name": "read",
                    "input": {"path": "knowledge_base/fees.md"},
                    "output": {"path": "knowledge_base/fees.md", "content": PAGE},
                },
            },
            {
                "node_id": "n3",
                "turn_id": 2,
                "type": "response_generation",
                "output": {"response": "It is $40."},
            },
        ],
    }
    second = {
        "schema": "trace-bot/trajectory/v1",
        "session_id": "s-2",
        "turns": [
            {"turn_id": 1, "role": "user", "content": "What does a lost card cost?"},
            {"turn_id": 2, "role": "assistant", "content": "It costs $10."},
            {"turn_id": 3, "role": "user", "content": "Thanks."},
        ],
        "nodes": [
            {
                "node_id": "n1",
                "turn_id": 2,
                "type": "kb_read",
                "tool": {
                    "name": "read",
                    "input": {"path": "knowledge_base/cards.json"},
                    "output": {
                        "path": "knowledge_base/cards.json",
                        "content": ARTICLE["content"],
                    },
                },
            }
        ],
    }
    return [first, second]


def labels() -> Rows:
    """Their ground truth."""
    return [
        {
            "session_id": "s-1",
            "is_dsat": True,
            "complexity": "simple",
            "signals": [
                {"signal_type": "CORRECTION", "evidence": "letter says 25 dollars", "turn_id": 3}
            ],
            "fault_id": "F1",
            "fault_category": "KB_CONTENT_STALE",
            "root_cause": {
                "node_id": "n2",
                "component_type": "kb_entry",
                "component_path": "knowledge_base/fees.md",
                "faulty_content": "The late fee is $40.",
                "correct_content": "The late fee is $25.",
            },
            "cascade": [{"node_id": "n3", "field": "response", "cascade_from": "n2"}],
            "expected_attribution": {"n1": 0.0, "n2": 0.8, "n3": 0.2},
            "expected_recommendation": {
                "operation": "UPDATE",
                "target": "knowledge_base/fees.md",
                "classification": "SYSTEMIC",
                "authoritative_source": "knowledge_base/policies/fees.md",
            },
        },
        {"session_id": "s-2", "is_dsat": False, "complexity": "simple", "signals": []},
    ]


FAULTS = [
    {
        "fault_id": "F1",
        "category": "KB_CONTENT_STALE",
        "faulty_source": {"type": "kb_entry", "path": "knowledge_base/fees.md"},
        "trigger": {"session_id": "s-1", "sessions": ["s-1"]},
    }
]


class Folder:
    """Rows that can be changed before they are written."""

    def __init__(self) -> None:
        self.sessions, self.labels = sessions(), labels()
        self.faults: Rows = json.loads(json.dumps(FAULTS))
        self.texts = {
            "knowledge_base/fees.md": PAGE,
            "knowledge_base/policies/fees.md": POLICY,
            "knowledge_base/cards.json": json.dumps(ARTICLE),
            "skills/pay/SKILL.md": SKILL,
        }

    def write(self, root: Path) -> Path:
        for path, text in self.texts.items():
            place = root / "context" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        for name, rows in (
            ("trajectories", self.sessions),
            ("labels", self.labels),
            ("faults", self.faults),
        ):
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (root / f"{name}.jsonl").write_text(lines, "utf-8")
        (root / "history.jsonl").write_text("", "utf-8")
        return root


@pytest.fixture
def folder() -> Folder:
    """A sound suite, to be changed and written."""
    return Folder()


class Scripted:
    """An engine that gives the answers of a table by session, and keeps what it was shown."""

    name = "scripted"

    def __init__(
        self,
        attributions: Mapping[str, Attribution] | None = None,
        recommendations: Mapping[str, Recommendation] | None = None,
        quotes: Mapping[str, Signal] | None = None,
    ) -> None:
        self.attributions, self.recommendations = attributions or {}, recommendations or {}
        self.quotes = quotes or {}
        self.shown: list[Trajectory] = []

    def signals(self, trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]:
        self.shown.append(trajectory)
        found = self.quotes.get(trajectory.session_id)
        return (found,) if found and found.turn_id in segment.turn_ids else ()

    def attribute(self, case: Case, repo: ContextRepo) -> Attribution | None:
        return self.attributions.get(case.trajectory.session_id)

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None:
        return self.recommendations.get(case.trajectory.session_id)

    def usage(self) -> Usage:
        return Usage()


@pytest.fixture
def scripted() -> Callable[..., Scripted]:
    """Builds a scripted engine."""
    return Scripted
