"""Sources are weighed in the order of the specification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.context.authority import prefers, replaces, standing, successors
from bot.context.repo import Commit, ContextRepo
from context_repo_schema.component import Component
from context_repo_schema.config import Authority


def repo(
    metas: dict[str, dict[str, Any]], dates: dict[str, str] | None = None, **texts: str
) -> ContextRepo:
    components = tuple(Component("kb_entry", path, meta=meta) for path, meta in metas.items())
    history = {p: (Commit("", d, "a", "m", 1),) for p, d in (dates or {}).items()}
    return ContextRepo(Path(), None, components, {p: texts.get(p, "") for p in metas}, history)


OLD = {"authority": "policy", "status": "approved", "effective_date": "2024-01-01"}
CASES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"supersedes": "b.md", "authority": "note"}, OLD, "supersession"),
    ({"authority": "note"}, {**OLD, "status": "superseded"}, "status"),
    ({"authority": "note"}, {**OLD, "status": "draft"}, "status"),
    (OLD, {"authority": "sop", "effective_date": "2026-01-01"}, "hierarchy"),
    ({**OLD, "effective_date": "2025-05-05"}, OLD, "recency"),
]


@pytest.mark.parametrize(("stronger", "weaker", "reason"), CASES)
def test_the_first_difference_decides(
    stronger: dict[str, Any], weaker: dict[str, Any], reason: str
) -> None:
    found = repo({"a.md": stronger, "b.md": weaker})
    first, second = standing(found, "a.md"), standing(found, "b.md")

    assert prefers(found, first, second) == (1, reason)
    assert prefers(found, second, first) == (-1, reason)


def test_equals_are_a_draw() -> None:
    found = repo({"a.md": OLD, "b.md": OLD})

    assert prefers(found, standing(found, "a.md"), standing(found, "b.md")) == (0, "equal")


def test_the_last_commit_decides_where_no_date_is_written() -> None:
    found = repo({"a.md": {}, "b.md": {}}, {"a.md": "2026-02-01T00:00:00Z", "b.md": "2025-01-01"})

    assert prefers(found, standing(found, "a.md"), standing(found, "b.md"))[1] == "recency"


def test_a_document_is_superseded_by_its_number() -> None:
    found = repo({"p/CRP-2-new.md": {"supersedes": "CRP-1"}, "p/CRP-1-old.md": {}})

    new, old = standing(found, "p/CRP-2-new.md"), standing(found, "p/CRP-1-old.md")

    assert replaces(found, new, old)
    assert not replaces(found, old, new)


def test_the_successors_of_all_are_those_of_every_two() -> None:
    found = repo(
        {
            "p/CRP-3-newest.md": {"supersedes": ["CRP-1", "p/CRP-2-new.md", "none.md"]},
            "p/CRP-2-new.md": {"supersedes": "CRP-1"},
            "p/CRP-1-old.md": {"superseded_by": "CRP-4"},
            "p/CRP-4-other.md": {},
            "skills/crp-1/SKILL.md": {"supersedes": "SKILL.md"},
        }
    )
    standings = {path: standing(found, path) for path in found.texts}

    after = successors(found, standings)

    assert set(after["p/CRP-1-old.md"]) == {
        "p/CRP-3-newest.md",
        "p/CRP-2-new.md",
        "p/CRP-4-other.md",
    }
    for path, own in standings.items():
        each = [p for p, o in standings.items() if p != path and replaces(found, o, own)]
        assert list(after.get(path, ())) == each


def test_standing_is_read_from_the_first_lines_and_from_nested_metadata() -> None:
    head = "# Caps\n\n**Status:** deprecated\n**Effective:** 1 May; 2026-05-01\n"
    texts = {"a.md": head}
    found = repo({"a.md": {}, "s.md": {"metadata": {"owner": "Desk"}}}, None, **texts)

    assert standing(found, "a.md").status == "dead"
    assert standing(found, "a.md").effective == "2026-05-01"
    assert standing(found, "s.md").owner == "desk"


def configured(found: ContextRepo, authority: Authority) -> tuple[int, str]:
    known = msgspec.structs.replace(found, authority=authority)
    return prefers(known, standing(known, "a.md"), standing(known, "b.md"))


def test_the_configured_hierarchy_ranks_files_that_declare_nothing() -> None:
    order = Authority(hierarchy=("b.*", "*.md"))
    assert configured(repo({"a.md": {}, "b.md": {}}), order) == (-1, "hierarchy")
    assert configured(repo({"a.md": {"authority": "policy"}, "b.md": {}}), order) == (
        1,
        "hierarchy",
    )


@pytest.mark.parametrize(
    ("meant", "status"), [("draft", "draft"), ("superseded", "dead"), ("approved", "approved")]
)
def test_a_configured_word_is_a_status(meant: Any, status: str) -> None:
    words = Authority(status={meant: ("In Kraft", "ratified")})
    found = msgspec.structs.replace(repo({"a.md": {"status": "in kraft"}}), authority=words)
    assert standing(found, "a.md").status == status


def test_what_somebody_owns_outweighs_what_nobody_does() -> None:
    found = repo({"a.md": {}, "b.md": {}})
    assert configured(found, Authority(owners={"*": "@x", "a.md": "@desk"})) == (0, "equal")
    assert configured(found, Authority(owners={"b.md": "@desk"})) == (-1, "ownership")
