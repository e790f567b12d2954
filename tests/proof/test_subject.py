"""A source that speaks of another case settles nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.proof.subject import differ, same_subject
from bot.records.change import Edit
from bot.records.finding import Case, Detection, RepoQuote
from bot.records.trajectory import Trajectory, Turn
from context_repo_schema.component import Component


def settles(
    line: str, source: str, *said: str, old: str | None = None, new: str | None = None
) -> bool:
    """Whether a source settles a line, of which the session speaks so; of a part of the line
    where one is named."""
    texts = {
        "skills/page.md": f"# Page\n\n{line}\n",
        "policies/rules.md": f"# Rules\n\n{source}\n",
    }
    repo = ContextRepo(Path(), None, tuple(Component("kb_entry", p) for p in texts), texts, {})
    turns = tuple(Turn(at, "user", text) for at, text in enumerate(said, start=1))
    case = Case(Trajectory("s", turns), (), Detection(True, 1.0))
    edit = Edit("skills/page.md", "UPDATE", new=new or source, old=old or line)
    return same_subject(edit, [RepoQuote("policies/rules.md", 3, source)], case, repo)


@pytest.mark.parametrize(
    ("line", "source", "said"),
    [
        (
            "The small inspection costs 59 EUR.",
            "The large inspection costs 139 EUR.",
            "How much is the small inspection? Your price list says 139 EUR.",
        ),
        (
            "Auf Rahmen geben wir 10 Jahre Garantie.",
            "Auf Akkus geben wir 2 Jahre Garantie.",
            "Wie lange ist die Garantie auf Rahmen? Es sind 2 Jahre.",
        ),
        (
            "The inspection costs 79 EUR for guests.",
            "The inspection costs 59 EUR for members.",
            "What do guests pay for the inspection? It is 59.",
        ),
        (
            "The frame has a warranty of 10 years.",
            "The warranty of the battery is 2 years.",
            "How long is the warranty of the frame? It is 2 years.",
        ),
    ],
)
def test_another_case_settles_nothing(line: str, source: str, said: str) -> None:
    assert not settles(line, source, said)


@pytest.mark.parametrize(
    ("line", "source", "said"),
    [
        (
            "The small inspection costs 59 EUR.",
            "The small inspection costs 79 EUR since March.",
            "How much is the small inspection? I paid 79.",
        ),
        (
            "Hotels: up to 180 EUR a night.",
            "A hotel may cost 210 EUR.",
            "How much for a hotel? Our office says 210 EUR.",
        ),
        (
            "A reimbursement is made within 14 days.",
            "We refund within 30 days.",
            "When does my reimbursement come? It took 30 days.",
        ),
        (
            "Die Kündigungsfrist beträgt 14 Tage.",
            "The notice period is 30 days.",
            "Wie lang ist die Kündigungsfrist? Es sind 30 Tage.",
        ),
    ],
)
def test_other_words_for_the_same_thing_do(line: str, source: str, said: str) -> None:
    assert settles(line, source, said)


@pytest.mark.parametrize(
    ("line", "source", "old", "new"),
    [
        ("| CP-1 | north pit | 2 |", "| CP-2 | south pit | 2 |", "CP-1", "CP-2"),
        ("| RF1-26 | 2 March | 9 March |", "| RF2-26 | 18 May | 29 May |", "2 March", "18 May"),
        ("We pay back within 15 days, less £75.", "We ask it back from £300 on.", "£75", "£300"),
        ("6.0 bar is 87 psi.", "| PV-2 | air, hall ring | 10 bar |", "87 psi", "10 bar"),
    ],
)
def test_a_value_takes_no_place_of_another_thing(
    line: str, source: str, old: str, new: str
) -> None:
    assert not settles(line, source, "Is this right?", old=old, new=new)


@pytest.mark.parametrize(
    ("line", "source", "old", "new"),
    [
        (
            "| Tier 1 (critical) | $500,000 and above | CFO, controller | 4 hours |",
            "6.1 Tier 1 (critical): $300,000 and above.",
            "$500,000",
            "$300,000",
        ),
        (
            "Single assets of $5,000 or more are capitalised and get a number.",
            "Single assets of $10,000 or more are capitalised.",
            "$5,000",
            "$10,000",
        ),
        ("| Norway | 75 EUR | 50 EUR |", "Norway: 91 EUR and 61 EUR.", "75 EUR", "91 EUR"),
    ],
)
def test_only_the_clause_of_a_value_counts(line: str, source: str, old: str, new: str) -> None:
    assert settles(line, source, "The CFO asks for the number. Is it right?", old=old, new=new)


@pytest.mark.parametrize(
    ("old", "source", "other"),
    [
        ("The deposit stays with us;", "The deposit stays with the university.", False),
        ("First day of absence.", "start_day,  -- first day of absence", False),
        ("[electricity, gas]", "kind text -- electricity, gas", False),
        ("The old key works for 72 hours.", "An old key works for 24 hours.", True),
        ("One holder can close it alone.", "One holder cannot close it alone.", True),
        ("Send the form by post.", "Documents are uploaded in the portal.", True),
    ],
)
def test_a_source_that_says_the_same_corrects_nothing(old: str, source: str, other: bool) -> None:
    quotes = [RepoQuote("policies/rules.md", 3, source)]
    assert differ(Edit("page.md", "UPDATE", new=f"{source} (rules).", old=old), quotes) is other
