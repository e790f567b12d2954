"""Reviewers by CODEOWNERS."""

from __future__ import annotations

import pytest

from bot.stages.reviewers import reviewers

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
    assert reviewers([path], {"CODEOWNERS": OWNERS}) == owners


def test_the_first_place_counts() -> None:
    texts = {"CODEOWNERS": "* @root\n", ".github/CODEOWNERS": "* @hub\n"}
    assert reviewers(["a.md"], texts) == ("@hub",)


def test_no_file_no_owner() -> None:
    assert reviewers(["a.md"], {}) == ()
