"""Counterparts of two files, files as a whole, and the language of a talk."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features import alignment, tongue, whole
from bot.engines.offline.library import library
from bot.engines.offline.scene import Scene, scene
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

PAGE = (
    "# Repairs\n\nRepairs of a bicycle are paid on collection. The provider answers within "
    "5 working days.\n\n| Code | Meaning |\n|---|---|\n| K1 | brake worn |\n| K3 | chain loose |\n"
)
RULE = (
    "# Rules of repairs\n\nThe provider answers within 5 working days. Money for a repair goes "
    "back within 10 days after the provider's yes.\n\n| Code | Meaning |\n|---|---|\n"
    "| K1 | brake worn, no ride |\n| K3 | chain loose |\n| K7 | fork cracked |\n"
)
GERMAN = "# Fundsachen\n\nWas liegen bleibt, wird in der Halle für vier Wochen aufgehoben.\n"
TEXTS = {
    "kb/repairs.md": PAGE,
    "kb/policies/repairs.md": RULE,
    "kb/policies/fund.md": GERMAN,
}


@pytest.fixture(scope="module")
def view() -> Scene:
    components = tuple(Component("kb_entry", path) for path in TEXTS)
    repo = ContextRepo(Path(), None, components, dict(TEXTS), {})
    turns = (
        Turn(1, "user", "When do I hear from the provider about the repair of my bicycle?"),
        Turn(2, "assistant", "Within 5 working days."),
        Turn(3, "user", "No, that is wrong."),
    )
    page = {"path": "kb/repairs.md", "content": PAGE}
    nodes = (Node("n1", 2, "kb_read", tool=ToolCall("read", {"path": "kb/repairs.md"}, page)),)
    told = Detection(True, 1.0, signals=(Signal("CORRECTION", "that is wrong", 3, 1.0),))
    return scene(Case(Trajectory("s", turns, nodes=nodes), (), told), library(Index(repo)))


def unit(view: Scene, path: str, words: str) -> int:
    return next(n for n in view.index.by_path[path] if words in view.index.units[n].text)


def of(view: Scene, faulty: str, truth: str) -> dict[str, float]:
    own = unit(view, "kb/repairs.md", faulty)
    other = unit(view, "kb/policies/repairs.md", truth)
    return alignment.measure(view, Candidate("stale", "kb/repairs.md", 0, 0, own, other))


def test_a_row_and_the_row_of_the_same_thing_are_each_others_counterparts(view: Scene) -> None:
    same, other = of(view, "K1", "K1"), of(view, "K1", "K3")

    assert same["align_forth"] == same["align_back"] == 0.0
    assert other["align_forth"] < 0.0
    assert (same["rows_other"], other["rows_other"]) == (0.0, 1.0)
    assert (same["rows_elsewhere"], other["rows_elsewhere"]) == (0.0, 1.0)


def test_a_row_of_something_else_may_be_one_that_the_file_lacks(view: Scene) -> None:
    assert of(view, "K3", "K7")["rows_lacking"] == 1.0
    assert of(view, "K3", "K1")["rows_lacking"] == 0.0


def test_a_source_that_says_what_is_blamed_does_not_refute_it(view: Scene) -> None:
    found = of(view, "5 working days", "10 days")

    assert found["source_keeps"] > 0.5
    assert found["source_echo"] > 0.5
    assert of(view, "5 working days", "K7")["source_keeps"] == 0.0


def test_a_pair_without_a_source_of_another_file_has_no_counterparts(view: Scene) -> None:
    own = unit(view, "kb/repairs.md", "5 working days")
    beside = unit(view, "kb/repairs.md", "K1")

    alone = Candidate("stale", "kb/repairs.md", 0, 0, own)
    assert alignment.measure(view, alone) == {}
    pair = Candidate("stale", "kb/repairs.md", 0, 0, own, beside)
    assert set(alignment.measure(view, pair)) == {"align_echo"}


def test_a_file_is_confirmed_by_what_others_say_of_it(view: Scene) -> None:
    page = whole.measure(view, Candidate("delete", "kb/repairs.md", 0, 0))
    alone = whole.measure(view, Candidate("delete", "kb/policies/fund.md", 0, 0))

    assert page["whole_confirmed"] > alone["whole_confirmed"] == 0.0
    assert all(0.0 <= page[name] <= 1.0 for name in page if name != "whole_size")
    assert whole.measure(view, Candidate("sound", None, 0, 0)) == {}


def test_a_unit_is_in_the_language_of_the_talk_or_in_another(view: Scene) -> None:
    own = unit(view, "kb/repairs.md", "5 working days")
    other = unit(view, "kb/policies/fund.md", "Halle")

    assert tongue.measure(view, 0, "faulty", own) == {"faulty_tongue": 1.0}
    assert tongue.measure(view, 0, "truth", other) == {"truth_tongue": -1.0}
