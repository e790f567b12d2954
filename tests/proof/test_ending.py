"""What ends a file names it; what was replaced is not mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.proof.ending import ends, replaced
from bot.records.finding import RepoQuote
from context_repo_schema.component import Component

PAPER = "skills/claim-on-paper/SKILL.md"
NEW = "skills/claim/SKILL.md"
RULES = "policies/rules.md"


def repo(**supersedes: str) -> ContextRepo:
    texts = {
        PAPER: "# Claim on paper\n\nSend the form.\n",
        NEW: "# Claim\n\nCall the partner.\n",
        RULES: "# Rules\n\nThe claim on paper is withdrawn.\nTickets are no longer sold.\n",
    }
    return ContextRepo(
        Path(),
        None,
        (
            Component("skill", PAPER),
            Component("skill", NEW, meta=dict(supersedes)),
            Component("kb_entry", RULES),
        ),
        texts,
        {},
    )


@pytest.mark.parametrize(
    ("line", "meant"),
    [("The claim on paper is withdrawn.", True), ("Tickets are no longer sold.", False)],
)
def test_a_source_ends_what_it_names(line: str, meant: bool) -> None:
    assert ends(repo(), PAPER, [RepoQuote(RULES, 3, line)]) is meant


def test_metadata_ends_what_it_supersedes() -> None:
    quote = RepoQuote(NEW, 1, "# Claim")
    assert not ends(repo(), PAPER, [quote])
    assert ends(repo(supersedes="claim-on-paper"), PAPER, [quote])


def test_a_skill_is_replaced_by_the_name_of_its_folder() -> None:
    assert not replaced(repo(), PAPER)
    assert replaced(repo(supersedes="claim-on-paper"), PAPER)
    assert not replaced(repo(supersedes="claim-on-paper"), NEW)
