"""A benchmark folder: a context repository, sessions, and the ground truth kept apart from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bot.context.history import HistoryEntry, read_history
from bot.errors import ConfigError
from bot.records.finding import Classification, ComponentType, FaultCategory, Operation
from bot.records.trajectory import Trajectory

T = TypeVar("T")


class LabelSignal(msgspec.Struct, frozen=True):
    """A signal that a reader marked: its type and the words that show it."""

    signal_type: str
    evidence: str
    turn_id: int


class RootCause(msgspec.Struct, frozen=True):
    """Where the fault entered: the node, the component, and its faulty and right content."""

    node_id: str | None = None
    component_type: ComponentType = "none"
    component_path: str | None = None
    faulty_content: str | None = None
    correct_content: str | None = None


class ExpectedRecommendation(msgspec.Struct, frozen=True):
    """The operation, target and classification that a maintainer would choose."""

    operation: Operation
    target: str | None = None
    classification: Classification | None = None
    authoritative_source: str | None = None


class Label(msgspec.Struct, frozen=True):
    """The ground truth of one session (labels, version 1)."""

    session_id: str
    is_dsat: bool
    fault_category: FaultCategory = "NONE"
    complexity: str = "simple"
    signals: tuple[LabelSignal, ...] = ()
    fault_id: str | None = None
    root_cause: RootCause | None = None
    cascade: tuple[dict[str, Any], ...] = ()
    expected_attribution: dict[str, float] | None = None
    expected_recommendation: ExpectedRecommendation | None = None
    accept_nodes: tuple[str, ...] = ()
    accept_targets: tuple[str, ...] = ()
    accept_operations: tuple[Operation, ...] = ()

    @property
    def operation(self) -> Operation:
        """What is to be done about the session."""
        expected = self.expected_recommendation
        return expected.operation if expected else "NO_ACTION"


class Suite(msgspec.Struct, frozen=True):
    """A benchmark folder as read."""

    name: str
    root: Path
    trajectories: tuple[Trajectory, ...]
    labels: dict[str, Label]
    history: tuple[HistoryEntry, ...]
    faults: tuple[dict[str, Any], ...]

    @property
    def context(self) -> Path:
        """The context repository as files."""
        return self.root / "context"


def load(root: Path) -> Suite:
    """The benchmark in that folder; `ConfigError` names the file and line that is wrong."""
    labels = _lines(root / "labels.jsonl", Label)
    return Suite(
        root.resolve().name,
        root,
        _lines(root / "trajectories.jsonl", Trajectory),
        {label.session_id: label for label in labels},
        read_history(history) if (history := root / "history.jsonl").is_file() else (),
        _lines(root / "faults.jsonl", dict[str, Any], required=False),
    )


def _lines(path: Path, kind: type[T], *, required: bool = True) -> tuple[T, ...]:
    if not path.is_file():
        if required:
            raise ConfigError(f"{path} is missing; a benchmark folder needs it")
        return ()
    rows = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(msgspec.json.decode(line, type=kind))
        except msgspec.DecodeError as problem:
            raise ConfigError(f"{path}:{number}: {problem}; mend or remove the line") from problem
    return tuple(rows)
