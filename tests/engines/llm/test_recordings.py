"""What a reader who saw no label made of the prompts, replayed: accuracy, calls and tokens hold."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.bench.metrics import METRICS
from bot.bench.run import evenly, run_suite
from bot.bench.score import Row
from bot.bench.suite import load
from bot.engines.llm.options import ModelOptions
from bot.engines.table import ENGINES

ROOT = Path(__file__).parents[3] / "fixtures"


class Reached(NamedTuple):
    """Shares of the dissatisfied sessions, and calls and tokens of those that were found."""

    fix: float
    node: float
    category: float
    calls: float
    tokens: int


def replay(suite: str, kept: str, count: int, **options) -> tuple[Row, ...]:
    chosen = ModelOptions(
        model="openai/desk", detector="offline", replay=ROOT / "recordings" / kept, **options
    )
    found = evenly(load(ROOT / "bench" / suite), count)
    return run_suite(found, ENGINES["llm"](chosen))


def reached(rows: Iterable[Row]) -> Reached:
    rows = tuple(rows)
    judged = [row for row in rows if row.found_dsat]
    shares = (METRICS[name](rows) for name in ("fix effectiveness", "node Acc@1", "category"))
    return Reached(
        *(round(share, 2) for share in shares),
        round(sum(row.calls for row in judged) / len(judged), 2),
        round(sum(row.tokens for row in judged) / len(judged)),
    )


FINANCE, PHARMACY = "finance", "hospital-pharmacy"
SHORT, WHOLE, STEPS = "shortlist", "holistic", "iterative"
RULES, BLIND = {"strategy": "offline"}, {"recommender": "passive"}


@pytest.mark.parametrize(
    ("suite", "kept", "count", "options", "expected"),
    [
        (FINANCE, SHORT, 15, {}, Reached(1.0, 0.92, 0.92, 1.77, 5037)),
        (FINANCE, SHORT, 15, RULES, Reached(0.77, 0.92, 0.77, 0.0, 0)),
        (FINANCE, WHOLE, 15, {}, Reached(1.0, 1.0, 1.0, 4.08, 10914)),
        (FINANCE, WHOLE, 15, BLIND, Reached(0.54, 1.0, 1.0, 3.0, 5090)),
        (FINANCE, STEPS, 5, {}, Reached(1.0, 1.0, 1.0, 10.0, 19396)),
        (PHARMACY, SHORT, 15, {}, Reached(0.91, 0.91, 0.91, 1.6, 4619)),
        (PHARMACY, SHORT, 15, RULES, Reached(0.55, 0.82, 0.55, 0.0, 0)),
        (PHARMACY, WHOLE, 15, {}, Reached(0.91, 0.91, 0.91, 4.0, 10252)),
        (PHARMACY, WHOLE, 15, BLIND, Reached(0.55, 0.91, 0.91, 3.0, 4826)),
        (PHARMACY, STEPS, 5, {}, Reached(1.0, 1.0, 1.0, 10.33, 18615)),
    ],
    ids=str,
)  # fmt: skip
def test_a_method_reaches_and_costs_what_the_table_says(suite, kept, count, options, expected):
    rows = replay(suite, f"{suite}-{kept}", count, **{"strategy": kept, **options})
    assert [row.error for row in rows] == [None] * count
    assert reached(rows) == expected


@pytest.mark.parametrize("suite", [FINANCE, PHARMACY])
def test_a_short_trace_gives_continual_search_nothing_more_to_open(suite):
    kept = f"{suite}-{WHOLE}"
    assert replay(suite, kept, 15, strategy="continual") == replay(suite, kept, 15, strategy=WHOLE)
