"""Shares, their intervals, and what they leave out."""

from __future__ import annotations

from typing import Any

import pytest

from bot.bench.metrics import METRICS, estimate, table
from bot.bench.score import Row

BASE = Row("suite", "s", "simple", True, True, "KB_CONTENT_GAP", None, "kb_entry", *[None] * 6)


def rows(**columns: list[Any]) -> list[Row]:
    count = len(next(iter(columns.values())))
    import msgspec

    return [
        msgspec.structs.replace(BASE, **{name: values[n] for name, values in columns.items()})
        for n in range(count)
    ]


def test_detection_counts_precision_recall_and_f1() -> None:
    seen = rows(
        expected_dsat=[True, True, True, False, False], found_dsat=[True, True, False, True, False]
    )
    names = ("detection precision", "detection recall", "detection F1")
    assert [METRICS[name](seen) for name in names] == [pytest.approx(2 / 3)] * 3


def test_a_share_is_over_the_rows_that_have_the_part() -> None:
    seen = rows(node=[True, False, None, None])
    assert METRICS["node Acc@1"](seen) == 0.5
    assert METRICS["path exact"](seen) is None


def test_proposals_on_controls_and_right_despite_a_wrong_node() -> None:
    seen = rows(
        expected_dsat=[True, True, False, False],
        proposed=[True, True, True, False],
        node=[False, False, None, None],
        fix=[True, False, None, None],
    )
    assert METRICS["proposals on controls"](seen) == 0.5
    assert METRICS["proposals right"](seen) == pytest.approx(1 / 3)
    assert METRICS["right despite wrong node"](seen) == 0.5


def test_kb_operation_is_over_the_knowledge_base_categories() -> None:
    seen = rows(expected_category=["KB_CONTENT_GAP", "SKILL_FILE_STALE"], operation=[False, True])
    assert METRICS["KB operation"](seen) == 0.0


def test_the_interval_holds_the_value_and_is_the_same_every_time() -> None:
    seen = rows(node=[True] * 30 + [False] * 10)
    first, second = estimate("node Acc@1", seen), estimate("node Acc@1", seen)
    assert first == second
    assert first.value == 0.75
    assert first.low is not None
    assert first.high is not None
    assert 0.55 < first.low < 0.75 < first.high < 0.92


def test_nothing_measured_has_no_interval() -> None:
    assert estimate("path exact", rows(node=[True])).count == 0
    assert set(table(rows(node=[True]))) == set(METRICS)
