"""What leads nowhere, what was replaced, and what bears the name of another."""

from __future__ import annotations

import pytest

from tests.audit.conftest import Audited

SKILL = "---\nname: {0}\ndescription: Does it.\n---\n# {0}\n\n{1}\n"


def test_links_paths_and_skills_that_stand_nowhere(audited: Audited) -> None:
    body = (
        "Read [the rules](../../knowledge_base/rules.md), [the map](../../knowledge_base/map.md).\n"
        "Then open `knowledge_base/lost.md`, or `out/report.md`, which you write.\n"
        "Hand over to the `pack-crates` skill or to the skill `sort-crates`."
    )
    found = audited(
        {
            "skills/sort-crates/SKILL.md": SKILL.format("sort-crates", body),
            "knowledge_base/rules.md": "# Rules\n",
        }
    )
    assert [(f.here.line, f.message.split("'")[1]) for f in found] == [
        (7, "../../knowledge_base/map.md"),
        (8, "knowledge_base/lost.md"),
        (9, "pack-crates"),
    ]


def test_a_line_on_the_past_may_name_what_is_gone(audited: Audited) -> None:
    text = "# Rules\n\nThese rules replace `knowledge_base/old-rules.md`.\n"
    assert audited({"knowledge_base/rules.md": text}) == ()


def test_a_replaced_document_says_so_and_is_not_linked(audited: Audited) -> None:
    files = {
        "knowledge_base/tides.md": "---\nsupersedes: tide-tables\n---\n# Tides\n",
        "knowledge_base/tide-tables.md": "# Tide tables\n",
        "knowledge_base/harbour.md": "# Harbour\n\nHigh water: [tables](tide-tables.md).\n",
    }
    unmarked, linked = sorted(audited(files), key=lambda f: f.here.path, reverse=True)
    assert unmarked.there is not None
    assert (unmarked.here.path, unmarked.there.line) == ("knowledge_base/tide-tables.md", 2)
    assert (linked.here.path, linked.here.line) == ("knowledge_base/harbour.md", 3)
    assert linked.outweighs == "knowledge_base/tides.md"
    marked = "---\nstatus: superseded\n---\n# Tide tables\n"
    told = "# Harbour\n\nThe [tables](tide-tables.md) were replaced.\n"
    files |= {"knowledge_base/tide-tables.md": marked, "knowledge_base/harbour.md": told}
    assert audited(files) == ()


def test_two_documents_of_one_name(audited: Audited) -> None:
    named = "---\nid: HB-7\ntitle: Moorings\n---\n# Moorings\n"
    found = audited({"knowledge_base/a.md": named, "knowledge_base/b.md": named})
    assert [f.message for f in found] == [
        "knowledge_base/b.md has the same id",
        "knowledge_base/b.md has the same title",
    ] or [f.message for f in found] == [
        "knowledge_base/a.md has the same id",
        "knowledge_base/a.md has the same title",
    ]
    other = named.replace("HB-7", "HB-8").replace("Moorings", "Berths")
    assert audited({"knowledge_base/a.md": named, "knowledge_base/b.md": other}) == ()


def test_a_skill_is_replaced_by_its_name_or_its_folder(audited: Audited) -> None:
    """Its file has the name that every skill's file has."""
    old = SKILL.format("tide-slips", "Hand out the slip.")
    for named in ("tide-slips", "Tide slips", "`tide slips` (skill)", "tides"):
        new = SKILL.format("tide-board", "Look at the board.")
        files = {
            "skills/tide-slips/SKILL.md": old,
            "skills/tide-board/SKILL.md": new.replace("---\n# ", f'supersedes: "{named}"\n---\n# '),
        }
        found = [f.here.path for f in audited(files)]
        assert found == ([] if named in ("tides", "`tide slips` (skill)") else [OLD])


OLD = "skills/tide-slips/SKILL.md"
POLICY = "---\nauthority: policy\n---\n# Harbour rules\n\n## 3. Tides\n\n{}\n"


@pytest.mark.parametrize(
    "sentence",
    [
        "The printed tide slips ended on 31 March.",
        "There are no tide slips any more.",
        "The procedure tide-slips is withdrawn; look at the board.",
        "Slips are no longer handed out.",
    ],
)
def test_what_a_policy_calls_ended_is_no_skill(audited: Audited, sentence: str) -> None:
    files = {
        OLD: SKILL.format("tide-slips", "Hand out the slip."),
        "knowledge_base/policies/harbour.md": POLICY.format(sentence),
    }
    (found,) = audited(files)
    assert (found.check, found.here.path) == ("ended", OLD)
    assert found.there is not None
    assert (found.there.line, found.outweighs) == (8, "knowledge_base/policies/harbour.md")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("knowledge_base/policies/harbour.md", "Tide slips are handed out at the gate."),
        ("knowledge_base/policies/harbour.md", "The lift ended."),
        ("knowledge_base/policies/harbour.md", "Old tide tables are withdrawn."),
        ("drafts/harbour.md", "Tide slips are withdrawn."),
    ],
)
def test_what_goes_on_is_left_alone(audited: Audited, path: str, sentence: str) -> None:
    files = {
        OLD: SKILL.format("tide-slips", "Hand out the slip."),
        path: POLICY.format(sentence),
    }
    assert audited(files) == ()


TALK = "---\nauthority: note\n---\n# Talk\n\nThe harbour rules were withdrawn.\n"


def test_a_note_ends_no_policy(audited: Audited) -> None:
    """Only what outweighs a document can call it ended."""
    files = {
        "knowledge_base/notes/talk.md": TALK,
        "knowledge_base/policies/harbour-rules.md": POLICY.format("Slips are handed out."),
    }
    assert audited(files) == ()
