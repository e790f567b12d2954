"""Reviewers by CODEOWNERS."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.context.repo import ContextRepo
from bot.stages.reviewers import reviewers
from context_repo_schema.config import Authority


def repo(texts: dict[str, str]) -> ContextRepo:
    return ContextRepo(Path(), None, (), texts, {})


OWNERS = """\
# comment
*                 @acme/everyone
/skills/          @acme/finance @dev   # inline comment
*.json            mail@acme.example @data
docs/*            @docs
/skills/open.md
!negated          @never
[a-z].md          @never
**/deep/**        @Deep-Owner
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", ("@acme/everyone",)),
        ("skills/pay/SKILL.md", ("@acme/finance", "@dev")),
        ("skills/pay/tools.json", ("@data",)),
        ("docs/a.md", ("@docs",)),
        ("skills/open.md", ()),
        ("a/deep/b/c.md", ("@Deep-Owner",)),
    ],
)
def test_last_match_wins(path: str, owners: tuple[str, ...]) -> None:
    assert reviewers([path], repo({"CODEOWNERS": OWNERS})) == owners


def test_the_first_place_counts() -> None:
    texts = {"CODEOWNERS": "* @root\n", ".github/CODEOWNERS": "* @hub\n"}
    assert reviewers(["a.md"], repo(texts)) == ("@hub",)


def test_no_file_no_owner() -> None:
    assert reviewers(["a.md"], repo({})) == ()


def test_the_configuration_names_owners_where_the_file_is_silent() -> None:
    named = Authority(owners={"**": "@acme/all", "skills/**": "@acme/skills lead@acme.example"})
    texts = {"CODEOWNERS": "skills/pay/** @dev\nskills/free.md\n"}
    owned = msgspec.structs.replace(repo(texts), authority=named)
    assert reviewers(["skills/pay/SKILL.md"], owned) == ("@dev",)
    assert reviewers(["skills/other/SKILL.md"], owned) == ("@acme/skills",)
    assert reviewers(["kb/a.md"], owned) == ("@acme/all",)
    assert reviewers(["skills/free.md"], owned) == ()
