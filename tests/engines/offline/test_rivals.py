"""What may settle a session is found by value and by name, and not only by the user's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.enumerate import candidates
from bot.engines.offline.library import library
from bot.engines.offline.rivals import rivals, rules, truth_units
from bot.engines.offline.scene import Scene, scene
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

RATES = "# Day rates\n\n| Land | Full |\n| --- | --- |\n| Norway | 75 EUR |\n| Denmark | 70 EUR |\n"
NOTICE = "# Works of 2024\n\nThe north door is closed.\n"
CIRCULAR = "# Travel circular\n\nFor Norway the full rate is 91 EUR.\n"
CONDUCT = "# Speaking\n\nEvery assistant tells the price with tax.\nThe day is named as well.\n"
FILLER = "".join(f"Parcel {n} stands on shelf {n}{n}.\n" for n in range(90))
TEXTS = {
    "kb/rates.md": RATES,
    "kb/works-2024.md": NOTICE,
    "kb/policies/travel.md": CIRCULAR,
    "kb/policies/speaking.md": CONDUCT,
    "kb/shelves.md": f"# Shelves\n\n{FILLER}",
    "prompts/system.md": "# System\n\nBe brief.\n",
}


@pytest.fixture(scope="module")
def view() -> Scene:
    kinds = {"prompts/system.md": "system_prompt"}
    parts = tuple(Component(kinds.get(p, "kb_entry"), p) for p in TEXTS)
    index = Index(ContextRepo(Path(), None, parts, TEXTS, {}))
    shown = ToolCall("read", {"path": "kb/rates.md"}, {"path": "kb/rates.md", "text": RATES})
    also = ToolCall(
        "read", {"path": "kb/works-2024.md"}, {"path": "kb/works-2024.md", "text": NOTICE}
    )
    nodes = (Node("n1", 2, "kb_read", tool=shown), Node("n2", 2, "kb_read", tool=also))
    turns = (
        Turn(1, "user", "What do I get for a day in Oslo?"),
        Turn(2, "assistant", "75 EUR."),
        Turn(3, "user", "Payroll paid me more than that."),
    )
    told = Detection(True, 1.0, signals=(Signal("CORRECTION", "more", 3, 1.0),))
    return scene(Case(Trajectory("s", turns, nodes=nodes), (), told), library(Index(index.repo)))


def unit(view: Scene, words: str) -> int:
    return next(n for n, u in enumerate(view.index.units) if words in u.reading)


def test_a_row_is_met_by_the_other_value_of_what_it_names(view: Scene) -> None:
    row, other = unit(view, "Norway; Full: 75"), unit(view, "91 EUR")
    alike = [0.0] * len(view.index.units)
    assert other in rivals(view, view.rounds[0], row, alike, ())


def test_rules_come_from_documents_that_bind_assistants(view: Scene) -> None:
    found = {view.index.units[n].path for n in rules(view, view.rounds[0])}
    assert found == {"kb/policies/speaking.md"}


def test_a_file_can_go_though_no_sentence_says_so(view: Scene) -> None:
    gone = [c for c in candidates(view) if c.shape == "delete" and c.path == "kb/works-2024.md"]
    assert {c.truth for c in gone} & {*truth_units(view)}
