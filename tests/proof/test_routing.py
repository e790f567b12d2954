"""A failed search is proved by what was asked, what was shown and what the document says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.proof.routing import routed
from bot.records.change import Edit, Recommendation
from bot.records.finding import Case, Detection, RepoQuote
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

PAGE, MAP = "kb/discounts.md", "search/synonyms.json"
LINE = "An early payment discount of 2 percent is taken within 10 days."
REPO = ContextRepo(
    Path(),
    None,
    (Component("kb_entry", PAGE), Component("synonym_map", MAP)),
    {PAGE: f"# Early payment discount\n\n{LINE}\n", MAP: "{}\n"},
    {},
)


def proves(
    new: str, said: str = "It is 2 percent within ten days.", shown: str = "Nothing."
) -> bool:
    turns = (
        Turn(1, "user", "What about the skonto?"),
        Turn(2, "assistant", "I find nothing."),
        Turn(3, "user", said),
    )
    search = ToolCall("search", {"query": "skonto deadline"}, {"hits": [shown]})
    node = Node("n1", 2, "kb_search", tool=search)
    claim = Recommendation(
        operation="UPDATE",
        target_path=MAP,
        recommended_change="",
        classification="SYSTEMIC",
        confidence=0.9,
        authoritative_source=PAGE,
        edits=(Edit(MAP, "UPDATE", new=new, old="{}"),),
    )
    case = Case(Trajectory("s", turns, nodes=(node,)), (), Detection(True, 1.0))
    return routed(claim, [RepoQuote(PAGE, 3, LINE)], case, REPO)


def test_words_that_were_searched_lead_to_words_of_the_document() -> None:
    assert proves('{"early payment discount": ["skonto"]}')


@pytest.mark.parametrize(
    ("new", "said", "shown"),
    [
        ('{"early payment discount": ["rebate"]}', "It is 2 percent.", "Nothing."),
        ('{"discount": ["payment"]}', "It is 2 percent.", "Nothing."),
        ('{"early payment discount": ["skonto"]}', "That is no help.", "Nothing."),
        ('{"early payment discount": ["skonto"]}', "It is 2 percent.", LINE),
    ],
    ids=["never searched for", "the document has it", "the user says nothing", "it was shown"],
)
def test_what_is_missing_in_a_proof(new: str, said: str, shown: str) -> None:
    assert not proves(new, said, shown)
