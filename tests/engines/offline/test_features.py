"""The groups of measures: every measure in one of them, and gone where its group is off."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.context.read import read_repo
from bot.context.search import Index
from bot.engines.offline.enumerate import candidates
from bot.engines.offline.features import BY_CANDIDATE, BY_ROUND, BY_UNIT, GROUPS, measure
from bot.engines.offline.library import library
from bot.engines.offline.scene import Scene, scene
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Trajectory
from bot.stages.segment import segment

SCENARIO = Path(__file__).parents[3] / "fixtures" / "scenarios" / "vendor-invoice"


@pytest.fixture(scope="module")
def view() -> Scene:
    repo = read_repo(SCENARIO / "context", history=())
    line = (SCENARIO / "sessions.jsonl").read_bytes().splitlines()[0]
    told = msgspec.json.decode(line, type=Trajectory)
    last = [turn.turn_id for turn in told.turns if turn.role == "user"][-1]
    detection = Detection(
        is_dsat=True, confidence=1.0, signals=(Signal("CORRECTION", "", last, 1.0),)
    )
    return scene(Case(told, segment(told), detection), library(Index(repo, None)))


def test_every_measure_is_in_one_group() -> None:
    grouped = sorted(name for group in GROUPS.values() for name in group)
    assert grouped == sorted({*BY_ROUND, *BY_UNIT, *BY_CANDIDATE})


@pytest.mark.parametrize("group", list(GROUPS))
def test_a_group_that_is_off_measures_nothing(view: Scene, group: str) -> None:
    found = candidates(view)
    whole = {name for row in measure(view, found) for name in row}
    others = {name for row in measure(view, found, GROUPS[group]) for name in row}
    assert others < whole


def test_with_every_group_off_only_the_form_of_a_hypothesis_counts(view: Scene) -> None:
    every = frozenset(name for group in GROUPS.values() for name in group)
    left = {name for row in measure(view, candidates(view), every) for name in row}
    assert left <= {"bias", "truth_missing", "faulty_missing"}
