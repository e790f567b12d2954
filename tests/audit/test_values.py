"""One fact with two values is found; numbers that mean something else stay quiet."""

from __future__ import annotations

import pytest

from tests.audit.conftest import Audited

POLICY = """---
status: approved
authority: policy
---
# Lending rules

## Overdue items

A borrower pays a reminder charge of $4 for each overdue atlas.
Cassettes may be borrowed for 21 days.
The reading room opens at 9:30.
"""
NOTE = """# Desk notes

## Atlases

The reminder charge for an overdue atlas is $7 for each borrower.
"""


def test_the_weaker_place_gives_way(audited: Audited) -> None:
    (found,) = audited({"knowledge_base/rules.md": POLICY, "knowledge_base/notes.md": NOTE})
    assert found.check == "values"
    assert found.here.path == "knowledge_base/notes.md"
    assert found.here.line == 5
    assert "$7" in found.here.quote
    assert found.there is not None
    assert "$4" in found.there.quote
    assert found.outweighs == "knowledge_base/rules.md"


def test_a_draw_goes_to_a_person(audited: Audited) -> None:
    twin = POLICY.replace("$4", "$7").replace("# Lending rules", "# Borrowing rules")
    found = audited({"knowledge_base/rules.md": POLICY, "knowledge_base/borrowing.md": twin})
    assert [f.outweighs for f in found if f.check == "values"] == [None]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The reminder charge for an overdue atlas is $7", "The reminder charge is 4 dollars"),
        ("is $7 for each borrower", "is noted within 7 days for each borrower"),
        ("The reminder charge for an overdue atlas is $7", "A lost locker key costs $7"),
        ("# Desk notes", "---\nstatus: draft\n---\n# Desk notes"),
        ("# Desk notes", "---\nstatus: superseded\n---\n# Desk notes"),
    ],
    ids=["same value", "other kind", "other subject", "draft", "withdrawn"],
)
def test_what_does_not_contradict_stays_quiet(audited: Audited, old: str, new: str) -> None:
    assert old in NOTE
    note = NOTE.replace(old, new)
    assert audited({"knowledge_base/rules.md": POLICY, "knowledge_base/notes.md": note}) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("knowledge_base/north/fees.md", "knowledge_base/south/fees.md"),
        ("knowledge_base/fees-2026-north.md", "knowledge_base/fees-2026-south.md"),
    ],
)
def test_two_branches_may_differ(audited: Audited, first: str, second: str) -> None:
    assert audited({first: NOTE, second: NOTE.replace("$7", "$9")}) == ()


def test_a_subject_that_many_files_have_tells_nothing(audited: Audited) -> None:
    prices = {
        f"knowledge_base/{name}.md": f"# {name.title()}\n\nThe annual membership fee is ${n}0.\n"
        for n, name in enumerate(("otter", "heron", "beaver", "kestrel", "marten", "lynx"), 1)
    }
    assert audited(prices) == ()
