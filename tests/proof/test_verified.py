"""No old copy is proved wrong, and no page has to say what a page of its rank says."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.proof.subject import words
from bot.proof.verified import verified
from bot.records.change import Edit, Recommendation
from bot.records.finding import Attribution, Case, Delta, Detection, FaultCategory, RepoQuote
from bot.records.trajectory import Trajectory, Turn
from context_repo_schema.component import Component

RULE = "A lost card costs 20 EUR."
POLICY = f"# Cards\n\nCards are sent by post within a week.\n{RULE}\n"
OTHER = "# Fees\n\nThe first copy of a key is free.\nA lost card costs 10 EUR.\n"
COPY = "# Cards\n\nCards are sent by post within a week.\nA lost card costs 10 EUR.\n"
TURNS = (Turn(1, "user", "Fee?"), Turn(2, "assistant", "10 EUR."), Turn(3, "user", "20 EUR!"))
CASE = Case(Trajectory("s", TURNS), (), Detection(True, 1.0))


def proves(
    category: FaultCategory,
    page: str,
    source: str,
    *edits: Edit,
    case: Case = CASE,
    text_margin: float | None = None,
) -> bool:
    texts = {"kb/page.md": page, source: POLICY}
    repo = ContextRepo(Path(), None, tuple(Component("kb_entry", p) for p in texts), texts, {})
    found = Attribution(
        Delta("", "", ""),
        "n1",
        (),
        category,
        "kb_entry",
        "kb/page.md",
        "",
        (),
        (),
        0.9,
        text_margin=text_margin,
    )
    line = POLICY[: POLICY.index(RULE)].count("\n") + 1
    claim = Recommendation(
        operation=edits[0].operation,
        target_path="kb/page.md",
        recommended_change="",
        classification="SYSTEMIC",
        confidence=0.9,
        authoritative_source=source,
        edits=edits,
        evidence=(RepoQuote(source, line, RULE),),
    )
    return verified(claim, found, case, repo)


@pytest.mark.parametrize(("page", "proved"), [(OTHER, True), (COPY, False)])
def test_an_old_copy_is_not_corrected(page: str, proved: bool) -> None:
    edit = Edit("kb/page.md", "UPDATE", new="20 EUR", old="10 EUR")
    assert proves("KB_CONTENT_STALE", page, "kb/policies/cards.md", edit) is proved


@pytest.mark.parametrize(
    ("source", "proved"), [("kb/policies/cards.md", True), ("kb/cards.md", False)]
)
def test_a_page_need_not_say_what_a_page_of_its_rank_says(source: str, proved: bool) -> None:
    last = "The first copy of a key is free."
    edit = Edit("kb/page.md", "CREATE", new=f"{last}\n{RULE}", old=last)
    page = OTHER.replace("A lost card costs 10 EUR.\n", "")
    assert proves("KB_CONTENT_GAP", page, source, edit) is proved


SILENT = Case(
    Trajectory("s", (TURNS[0], Turn(2, "assistant", "Ask at the desk."), Turn(3, "user", "Hm."))),
    (),
    Detection(True, 1.0),
)
FEE = Edit("kb/page.md", "UPDATE", new="20 EUR", old="10 EUR")


@pytest.mark.parametrize(("text_margin", "proved"), [(None, False), (0.59, False), (0.6, True)])
def test_what_a_session_does_not_say_a_measured_margin_has_to(
    text_margin: float | None, proved: bool
) -> None:
    source = "kb/policies/cards.md"
    assert proves("KB_CONTENT_STALE", OTHER, source, FEE, case=SILENT, text_margin=text_margin) is (
        proved
    )


@pytest.mark.parametrize(
    ("source", "edits"),
    [
        ("kb/cards.md", [FEE]),  # of the page's own rank
        ("kb/policies/cards.md", [replace(FEE, new="30 EUR")]),  # a value from nowhere
        ("kb/policies/cards.md", [replace(FEE, new="20 EUR for whoever lost it at sea")]),
        ("kb/policies/cards.md", [FEE, replace(FEE, path="kb/other.md")]),
    ],
)
def test_no_margin_stands_for_what_the_repository_has_to_say(
    source: str, edits: list[Edit]
) -> None:
    assert not proves("KB_CONTENT_STALE", OTHER, source, *edits, case=SILENT, text_margin=1.0)


@pytest.mark.parametrize(("text_margin", "proved"), [(None, True), (0.59, False), (0.6, True)])
def test_an_engine_that_was_measured_and_is_not_sure_proves_nothing(
    text_margin: float | None, proved: bool
) -> None:
    source = "kb/policies/cards.md"
    assert proves("KB_CONTENT_STALE", OTHER, source, FEE, text_margin=text_margin) is proved


def test_a_script_without_spaces_is_read_sign_by_sign() -> None:
    assert words("小点検は5900円") == ["小", "点", "検", "は", "5900", "円"]
