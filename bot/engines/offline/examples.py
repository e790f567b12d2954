"""Labelled sessions as rows that a ranker can learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bot.bench.score import accepted_nodes, accepted_operations, is_labelled, target_matches
from bot.bench.suite import Label, RootCause, load
from bot.context.read import read_repo
from bot.context.search import Index
from bot.context.vectors import Encoder
from bot.context.words import stems
from bot.engines.offline.candidate import CATEGORY, OPERATION, Candidate, Shape
from bot.engines.offline.claims import claims, held, without
from bot.engines.offline.enumerate import candidates
from bot.engines.offline.explain import category
from bot.engines.offline.features import Features, measure
from bot.engines.offline.library import library
from bot.engines.offline.scene import Scene, scene
from bot.engines.offline.tone import vector
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Trajectory
from bot.signals.table import signals
from bot.stages.detect import detect
from bot.stages.segment import segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What counts as the unit that a label means: as near as this to the nearest one, or a sentence of
# so many words of which the label repeats most.
NEAR, WORDED, HELD = 0.8, 4, 0.75
RIVALS = 12  # units nearest to a text, among which one that contradicts it is looked for


class Row(msgspec.Struct, frozen=True):
    """One hypothesis, and in which respects it is right.

    `fit` counts how many of its two units are those that the label names.
    """

    candidate: Candidate
    fix: bool
    node: bool
    category: bool
    fit: int


class Example(msgspec.Struct, frozen=True):
    """One dissatisfied session with all its hypotheses.

    `shape` is what the label calls for, `rooted` whether a node is at fault, `vector` how the
    talk sounds; `values` has a line a row and a column a name of `names`.
    """

    suite: str
    session_id: str
    shape: Shape
    rooted: bool
    vector: tuple[float, ...]
    rows: tuple[Row, ...]
    names: tuple[str, ...]
    values: NDArray[np.float32]

    def features(self, row: int) -> Features:
        """What was measured of one hypothesis."""
        return dict(zip(self.names, self.values[row].tolist(), strict=True))


def examples(root: Path, encoder: Encoder | None, off: frozenset[str]) -> Iterator[Example]:
    """Every dissatisfied session of a benchmark folder; `off` names measures left out."""
    suite = load(root)
    prepared = library(Index(read_repo(suite.context, history=suite.history), encoder))
    for trajectory in suite.trajectories:
        label = suite.labels[trajectory.session_id]
        if label.is_dsat:
            view = scene(case_of(trajectory, label), prepared)
            yield _example(suite.name, view, label, off)


def case_of(trajectory: Trajectory, label: Label) -> Case:
    """The session as the run would hand it over; where the detector finds nothing, with the
    signals of the label, since ranking is learned of dissatisfied sessions."""
    segments = segment(trajectory)
    found = [s for part in segments for s in signals(trajectory, part)]
    detection = detect(trajectory, segments, found)
    if not detection.is_dsat:
        told = tuple(
            Signal("CORRECTION", s.evidence, s.turn_id, 1.0) for s in label.signals if s.turn_id
        )
        detection = Detection(is_dsat=True, confidence=1.0, signals=told)
    return Case(trajectory, segments, detection)


def _example(suite: str, view: Scene, label: Label, off: frozenset[str]) -> Example:
    found = candidates(view)
    names, values = table(measure(view, found, off))
    truths = _truths(view, label)
    return Example(
        suite=suite,
        session_id=label.session_id,
        shape=_shape(label),
        vector=tuple(vector(view.index.encoder, view.talk)),
        rooted=bool(accepted_nodes(label)),
        rows=tuple(_row(view, label, truths, candidate) for candidate in found),
        names=names,
        values=values,
    )


def table(measured: Sequence[Features]) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """The names that occur, in order, and the measures as a table; one that is absent is zero.

    Kept as mappings, a thousand sessions with hundreds of hypotheses each fill the memory.
    """
    import numpy as np

    names = tuple(sorted({name for features in measured for name in features}))
    rows = [[features.get(name, 0.0) for name in names] for features in measured]
    return names, np.array(rows, np.float32).reshape(len(rows), len(names))


def _shape(label: Label) -> Shape:
    expected = label.expected_recommendation
    if expected is not None and expected.operation == "DELETE":
        return "delete"
    named = (shape for shape, category in CATEGORY.items() if category == label.fault_category)
    return next(named, "stale")


def _row(view: Scene, label: Label, truths: frozenset[int], candidate: Candidate) -> Row:
    operation = OPERATION[candidate.shape]
    nodes = accepted_nodes(label)
    right_path = operation == "NO_ACTION" or target_matches(label, candidate.path)
    return Row(
        candidate=candidate,
        fix=operation in accepted_operations(label) and right_path,
        node=not nodes or view.trajectory.nodes[candidate.node].node_id in nodes,
        category=category(view, candidate) == label.fault_category,
        fit=_fit(view, label, candidate, truths),
    )


def _fit(view: Scene, label: Label, candidate: Candidate, truths: frozenset[int]) -> int:
    if candidate.shape == "sound":
        return 0  # no label says what makes a context right
    root = label.root_cause
    faulty = root.faulty_content if root else None
    if candidate.faulty is None:
        right_faulty = not faulty
    else:
        text = view.index.units[candidate.faulty].text
        right_faulty = faulty is not None and is_labelled(text, faulty)
    expected = label.expected_recommendation
    sourced = expected is not None and expected.authoritative_source is not None
    right_truth = candidate.truth in truths if candidate.truth is not None else not sourced
    return int(right_faulty) + int(right_truth)


def _truths(view: Scene, label: Label) -> frozenset[int]:
    """The units of the label's source that are nearest to what it calls correct."""
    root, expected = label.root_cause, label.expected_recommendation
    source = expected.authoritative_source if expected else None
    if source is None and root is not None:
        return _rivals(view, root)
    numbers = [
        n for n in view.index.by_path.get(source or "", ()) if view.index.units[n].kind != "meta"
    ]
    if _shape(label) in ("retrieval", "delete"):  # what is right is a document, not a sentence
        return frozenset(numbers)
    if not numbers or root is None or not root.correct_content:
        return frozenset(numbers)
    near = view.index.near([root.correct_content])
    power = {n: near.lexical[0][n] + near.bare[0][n] for n in numbers}
    best = max(power.values())
    said = frozenset(stems(root.correct_content))
    return frozenset(n for n in numbers if power[n] >= NEAR * best or _within(view, n, said))


def _rivals(view: Scene, root: RootCause) -> frozenset[int]:
    """Where equals disagree no source is labelled: the texts of other files that state what may
    be right of what the labelled text is about."""
    if not (root.faulty_content and root.correct_content):
        return frozenset()
    wanted = claims((root.correct_content,))
    new = without(wanted, claims((root.faulty_content,)))
    near = view.index.near([root.faulty_content]).bare[0]
    able = (n for n in sorted(range(len(near)), key=lambda n: -near[n])[:RIVALS])
    return frozenset(n for n in able if held(new, view.library.claims[n]))


def _within(view: Scene, number: int, said: frozenset[str]) -> bool:
    words = view.index.words[number]
    return len(words) >= WORDED and view.index.coverage(words, said) >= HELD
