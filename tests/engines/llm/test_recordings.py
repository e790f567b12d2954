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
        model="openai/desk",
        replay=ROOT / "recordings" / kept,
        **{"detector": "offline", **options},
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
INSURANCE, ENERGY = "insurance-claims", "energy-utility"
SHORT, WHOLE, STEPS = "shortlist", "holistic", "iterative"
RULES, BLIND = {"strategy": "offline"}, {"recommender": "passive"}
VOTES = {"strategy": "self-consistency", "samples": 3}
HINTS = {"strategy": "holistic", "hints": True}


@pytest.mark.parametrize(
    ("suite", "kept", "count", "options", "expected"),
    [
        (FINANCE, SHORT, 15, {}, Reached(1.0, 1.0, 1.0, 1.46, 4169)),
        (FINANCE, SHORT, 15, RULES, Reached(0.92, 1.0, 1.0, 0.0, 0)),
        (FINANCE, WHOLE, 15, {}, Reached(1.0, 1.0, 1.0, 4.0, 9515)),
        (FINANCE, WHOLE, 15, BLIND, Reached(1.0, 1.0, 1.0, 3.0, 5413)),
        (FINANCE, STEPS, 5, {}, Reached(1.0, 1.0, 1.0, 10.0, 19230)),
        (FINANCE, "passive", 5, {}, Reached(1.0, 1.0, 1.0, 7.0, 18492)),
        (FINANCE, "self-consistency", 5, VOTES, Reached(1.0, 1.0, 1.0, 6.0, 14386)),
        (FINANCE, "hints", 5, HINTS, Reached(1.0, 1.0, 1.0, 4.25, 11229)),
        (PHARMACY, SHORT, 15, {}, Reached(0.91, 0.91, 0.91, 1.2, 2738)),
        (PHARMACY, SHORT, 15, RULES, Reached(0.64, 0.82, 0.64, 0.0, 0)),
        (PHARMACY, WHOLE, 15, {}, Reached(0.91, 0.91, 0.91, 4.0, 9202)),
        (PHARMACY, WHOLE, 15, BLIND, Reached(0.91, 0.91, 0.91, 3.0, 5245)),
        (PHARMACY, STEPS, 5, {}, Reached(1.0, 1.0, 1.0, 10.33, 18010)),
        (PHARMACY, "passive", 5, {}, Reached(1.0, 1.0, 1.0, 7.0, 17346)),
        (PHARMACY, "self-consistency", 5, VOTES, Reached(1.0, 1.0, 1.0, 6.0, 13526)),
        (PHARMACY, "hints", 5, HINTS, Reached(1.0, 1.0, 1.0, 4.0, 9840)),
        (INSURANCE, SHORT, 15, {}, Reached(1.0, 1.0, 1.0, 1.38, 3125)),
        (INSURANCE, SHORT, 15, RULES, Reached(0.69, 0.92, 0.69, 0.0, 0)),
        (ENERGY, SHORT, 15, {}, Reached(1.0, 1.0, 1.0, 1.5, 3821)),
        (ENERGY, SHORT, 15, RULES, Reached(0.33, 0.67, 0.5, 0.0, 0)),
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


@pytest.mark.parametrize("suite", [FINANCE, PHARMACY])
@pytest.mark.parametrize("detector", ["taxonomy", "vanilla"])
def test_a_detector_asks_once_a_session_and_finds_what_a_careful_reader_finds(suite, detector):
    rows = replay(suite, f"{suite}-detectors", 5, strategy="offline", detector=detector)
    assert [row.error for row in rows] == [None] * 5
    assert [row.calls for row in rows] == [1] * 5
    assert [row.found_dsat for row in rows] == [row.expected_dsat for row in rows]
