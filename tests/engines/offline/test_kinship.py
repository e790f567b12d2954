"""A page is nearer to the rule behind it than to other rules, by file, section and title."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features import conflict, kinship, title
from bot.engines.offline.library import library
from bot.engines.offline.scene import Scene, scene
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

PAGE = (
    "# Lost parcels\n\n## Search\n\nA lost parcel is searched for within 10 days.\n\n"
    "## Fees\n\nIt is free.\n\n## Steps\n\nCall search and tell the sender.\n"
)
RULE = "# Lost parcels policy\n\nA lost parcel is searched for in 14 days.\n"
TEXTS = {
    "kb/parcels.md": PAGE,
    "kb/policies/parcels.md": RULE,
    "kb/policies/leave.md": "# Annual leave\n\nLeave is asked for 14 days ahead.\n",
}


@pytest.fixture(scope="module")
def view() -> Scene:
    components = tuple(Component("kb_entry", path) for path in TEXTS)
    repo = ContextRepo(Path(), None, components, dict(TEXTS), {})
    turns = (
        Turn(1, "user", "My parcel is lost. How long do you search?"),
        Turn(2, "assistant", "10 days, by search_parcel."),
        Turn(3, "user", "No, 14 days."),
    )
    page = {"path": "kb/parcels.md", "content": PAGE}
    nodes = (
        Node("n1", 2, "kb_read", tool=ToolCall("read", {"path": "kb/parcels.md"}, page)),
        Node("n2", 2, "tool_call", tool=ToolCall("parcel.search", {"id": 1}, {"found": False})),
    )
    told = Detection(True, 1.0, signals=(Signal("CORRECTION", "No, 14 days.", 3, 1.0),))
    return scene(Case(Trajectory("s", turns, nodes=nodes), (), told), library(Index(repo)))


def unit(view: Scene, path: str, words: str) -> int:
    return next(n for n in view.index.by_path[path] if words in view.index.units[n].text)


def of(view: Scene, source: str, words: str) -> dict[str, float]:
    faulty = unit(view, "kb/parcels.md", "searched")
    truth = unit(view, source, words)
    return kinship.measure(view, Candidate("stale", "kb/parcels.md", 0, 0, faulty, truth))


def test_the_rule_behind_a_page_is_of_its_kin(view: Scene) -> None:
    own = of(view, "kb/policies/parcels.md", "searched")
    other = of(view, "kb/policies/leave.md", "asked")

    assert set(own) == {"kin_files", "kin_words", "kin_title", "kin_named", "kin_section"}
    assert all(own[name] > other[name] for name in own)
    assert all(0.0 <= value <= 1.0 + 1e-9 for value in (*own.values(), *other.values()))


def test_a_file_is_no_kin_of_itself_nor_of_nothing(view: Scene) -> None:
    faulty = unit(view, "kb/parcels.md", "searched")
    beside = unit(view, "kb/parcels.md", "free")

    for truth in (None, beside):
        candidate = Candidate("stale", "kb/parcels.md", 0, 0, faulty, truth)
        assert kinship.measure(view, candidate) == {}


def test_parts_are_as_much_of_one_kin_either_way(view: Scene) -> None:
    index = view.index
    page, rule = index.by_path["kb/parcels.md"], index.by_path["kb/policies/parcels.md"]

    assert index.kin(page, rule) == pytest.approx(index.kin(rule, page))
    assert index.kin(page, page) == pytest.approx(1.0)
    assert index.kin(page, []) == 0.0


def test_the_nearest_unit_has_the_first_rank(view: Scene) -> None:
    faulty = unit(view, "kb/parcels.md", "searched")
    ranks = {
        path: conflict.measure(
            view, Candidate("stale", "kb/parcels.md", 0, 0, faulty, unit(view, path, words))
        )["pair_rank"]
        for path, words in (("kb/policies/parcels.md", "searched"), ("kb/policies/leave.md", "ask"))
    }

    assert ranks["kb/policies/parcels.md"] > ranks["kb/policies/leave.md"]


def test_titles_are_heard_in_what_was_asked(view: Scene) -> None:
    own = title.measure(view, 0, "truth", unit(view, "kb/policies/parcels.md", "searched"))
    other = title.measure(view, 0, "truth", unit(view, "kb/policies/leave.md", "asked"))

    assert own["truth_title_question"] > other["truth_title_question"] == 0.0
    assert own["truth_names_call"] == 0.0


def test_a_step_names_the_call_that_was_made(view: Scene) -> None:
    step = title.measure(view, 0, "faulty", unit(view, "kb/parcels.md", "Call search"))

    assert step["faulty_names_call"] == 1.0
