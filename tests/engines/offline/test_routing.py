"""A user's term is led to the documents' word, in the form and direction of the map."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from bot.context.edit import apply_all
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.library import library
from bot.engines.offline.mend.routing import route
from bot.engines.offline.scene import scene
from bot.records.finding import Case, Detection, Hypothesis, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

LEAVE = "# HR-07 Annual leave\n\n## Carrying days over\n\nUp to five days go to the next year.\n"
PAY = "# Pay date\n\nSalaries are paid on the 25th.\n"
QUESTION = "How many of my PTO days can I take into next year?"


def routed(path: str, before: str, question: str = QUESTION, query: str = "PTO next year") -> str:
    texts = {path: before, "kb/leave.md": LEAVE, "kb/pay.md": PAY}
    kinds = {path: "synonym_map"}
    components = tuple(Component(kinds.get(p, "kb_entry"), p) for p in texts)
    repo = ContextRepo(Path(), None, components, texts, {})
    search = ToolCall("kb_search", {"query": query}, {"results": []})
    turns = (
        Turn(1, "user", question),
        Turn(2, "assistant", "I find nothing about that."),
        Turn(3, "user", "There is a whole page on it!"),
    )
    trajectory = Trajectory("s", turns, nodes=(Node("n1", 2, "kb_search", tool=search),))
    told = Detection(True, 1.0, signals=(Signal("CORRECTION", "whole page", 3, 1.0),))
    view = scene(Case(trajectory, (), told), library(Index(repo)))
    truth = next(u for u in view.index.units if "five days" in u.text)
    chosen = Hypothesis("RETRIEVAL_FAILURE", "UPDATE", "synonym_map", path, "n1", 1.0, "")
    return apply_all(route(view, chosen, None, truth), texts)[path] or ""


def test_a_map_that_users_words_lead_gets_a_key() -> None:
    before = '{\n  "payday": ["pay date"],\n  "vacation": ["annual leave"]\n}\n'
    assert json.loads(routed("map.json", before))["PTO"] == ["annual leave"]


def test_a_map_that_documents_words_lead_gets_a_value() -> None:
    before = '{\n  "annual leave": ["vacation"],\n  "pay date": ["payday"]\n}\n'
    assert json.loads(routed("map.json", before))["annual leave"] == ["vacation", "PTO"]


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("map.json", '{"pay date": ["payday"], "PTO": ["power take-off"], "tax": ["levy"]}\n'),
        ("map.yml", "pay date: [payday]\nPTO:\n  - power take-off\n"),
    ],
)
def test_an_entry_that_led_the_search_astray_gets_the_right_name(path: str, before: str) -> None:
    after = YAML(typ="safe").load(routed(path, before))
    assert after["PTO"] == ["power take-off", "carrying days over"]
    assert after["pay date"] == ["payday"]


def test_groups_of_equals_get_a_member() -> None:
    before = '{"groups": [["annual leave", "vacation"], ["pay date", "payday"]]}\n'
    assert json.loads(routed("map.json", before))["groups"][0] == [
        "annual leave",
        "vacation",
        "PTO",
    ]


def test_entries_of_a_yaml_list_get_one_of_their_form() -> None:
    before = "# kept by hand\n- term: pay date\n  also: [payday]\n"
    after = routed("map.yml", before)
    assert after.startswith(before.rstrip("\n"))
    assert YAML(typ="safe").load(after)[-1] == {"term": "carrying days over", "also": ["PTO"]}


def test_rows_keep_their_columns() -> None:
    before = "term,treated_as\nvacation,annual leave|time off\n"
    assert routed("map.csv", before) == f"{before}PTO,annual leave\n"


def test_a_row_that_the_word_heads_gets_the_name() -> None:
    before = "term,treated_as\nPTO,power take-off\nvacation,annual leave|time off\n"
    after = routed("map.csv", before)
    assert after == before.replace("take-off", "take-off|annual leave")


def test_a_one_way_rule_that_leads_the_word_gets_the_name() -> None:
    before = "payday, salary day\nPTO, shaft => power take-off\n"
    after = routed("map.txt", before)
    assert after == before.replace("take-off", "take-off, annual leave")


def test_a_word_that_the_map_leads_elsewhere_counts_more_than_one_beside_it() -> None:
    before = '{"single": ["single entry", "one journey"]}\n'
    question = "Do single colleagues carry a quorble over?"
    after = json.loads(routed("map.json", before, question, "quorble single next year"))
    assert after == {"single": ["single entry", "one journey", "carrying days over"]}


def test_a_word_inside_a_longer_word_is_not_said() -> None:
    before = '{"bank": ["account number"], "vacation": ["annual leave"]}\n'
    after = json.loads(routed("map.json", before, "Who is banksman here?", "banksman"))
    assert after["bank"] == ["account number"]
    assert "banksman" in after


@pytest.mark.parametrize("question", ["And then?", "How many are there?", "12345 67890"])
def test_everyday_words_and_numbers_are_no_terms(question: str) -> None:
    before = '{"vacation": ["annual leave"]}\n'
    after = json.loads(routed("map.json", before, question))
    assert set(after) <= {"vacation", "PTO"}
