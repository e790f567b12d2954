"""Metrics over rows, with bootstrap intervals and floors, as one small table of functions."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from bot.bench.score import Row
from bot.records.change import READY_CONFIDENCE

RESAMPLES = 1000
SEED = 20260101

T = TypeVar("T")


class Estimate(msgspec.Struct, frozen=True):
    """A share with its 95 % bootstrap interval, and how many rows it rests on."""

    value: float | None
    low: float | None
    high: float | None
    count: int


def share(part: Callable[[Row], bool | None]) -> Callable[[Sequence[Row]], float | None]:
    """The share of rows whose part is right, over the rows that have the part."""

    def measure(rows: Sequence[Row]) -> float | None:
        seen = [value for row in rows if (value := part(row)) is not None]
        return sum(seen) / len(seen) if seen else None

    return measure


def _ratio(good: int, all_: int) -> float | None:
    return good / all_ if all_ else None


def detection_precision(rows: Sequence[Row]) -> float | None:
    """Of the sessions called dissatisfied, the share that are."""
    found = [row for row in rows if row.found_dsat]
    return _ratio(sum(row.expected_dsat for row in found), len(found))


def detection_recall(rows: Sequence[Row]) -> float | None:
    """Of the dissatisfied sessions, the share that was found."""
    real = [row for row in rows if row.expected_dsat]
    return _ratio(sum(row.found_dsat for row in real), len(real))


def detection_f1(rows: Sequence[Row]) -> float | None:
    """Harmonic mean of detection precision and recall."""
    hits = sum(row.expected_dsat and row.found_dsat for row in rows)
    all_ = sum(row.expected_dsat for row in rows) + sum(row.found_dsat for row in rows)
    return _ratio(2 * hits, all_)


def _proposal_right(row: Row) -> bool | None:
    return bool(row.fix) if row.proposed else None


def _ready_right(row: Row) -> bool | None:
    return bool(row.fix) if row.ready else None


def _ready_texts(row: Row) -> bool | None:
    return bool(row.texts) if row.ready else None


def _ready_covered(row: Row) -> bool | None:
    return row.ready if row.expected_dsat else None


def _sure_right(row: Row) -> bool | None:
    return bool(row.fix) if row.found_dsat and row.margin >= READY_CONFIDENCE else None


def _sure_covered(row: Row) -> bool | None:
    return row.margin >= READY_CONFIDENCE if row.expected_dsat else None


def _wrong_on_control(row: Row) -> bool | None:
    return None if row.expected_dsat else row.proposed


def _kb_operation(row: Row) -> bool | None:
    return row.operation if row.expected_category.startswith("KB_") else None


def _despite(row: Row) -> bool | None:
    return bool(row.fix) if row.node is False else None


METRICS: Mapping[str, Callable[[Sequence[Row]], float | None]] = {
    "detection precision": detection_precision,
    "detection recall": detection_recall,
    "detection F1": detection_f1,
    "node Acc@1": share(lambda row: row.node),
    "node Acc@3": share(lambda row: row.node_at_3),
    "category": share(lambda row: row.category),
    "component type": share(lambda row: row.component),
    "operation": share(lambda row: row.operation),
    "KB operation": share(_kb_operation),
    "path exact": share(lambda row: row.path),
    "path partial": share(lambda row: row.path_partial),
    "classification": share(lambda row: row.classification),
    "fix effectiveness": share(lambda row: row.fix),
    "texts of a right fix": share(lambda row: row.texts),
    "end to end": share(lambda row: row.end_to_end),
    "right despite wrong node": share(_despite),
    "proposals right": share(_proposal_right),
    "sure findings right": share(_sure_right),
    "sure coverage": share(_sure_covered),
    "ready proposals right": share(_ready_right),
    "ready texts right": share(_ready_texts),
    "ready coverage": share(_ready_covered),
    "proposals on controls": share(_wrong_on_control),
}


def estimate(name: str, rows: Sequence[Row]) -> Estimate:
    """The metric with its interval."""
    return bootstrap(METRICS[name], rows)


def bootstrap(measure: Callable[[Sequence[T]], float | None], rows: Sequence[T]) -> Estimate:
    """A measure with its interval: percentile bootstrap over sessions, from a fixed seed."""
    value = measure(rows)
    if value is None:
        return Estimate(None, None, None, 0)
    draw = random.Random(SEED)
    drawn = sorted(
        sample
        for _ in range(RESAMPLES)
        if (sample := measure(draw.choices(rows, k=len(rows)))) is not None
    )
    low, high = drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn))]
    return Estimate(value, low, high, len(rows))


def table(rows: Sequence[Row]) -> dict[str, Estimate]:
    """Every metric over those rows."""
    return {name: estimate(name, rows) for name in METRICS}
