"""Sections: what is a heading, and which lines stand below it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.markdown import innermost, sections, slug

NASTY = st.text(st.sampled_from("#-=`~> \n\r\t*_[]()<!:a1.é\ufeff\0"), max_size=200) | st.text()


def heads(text: str) -> list[tuple[str, int, int]]:
    return [(s.slug, s.first_line, s.last_line) for s in sections(text)]


def test_sections_of_nested_headings_nest_their_lines() -> None:
    text = "# Payment\n\nintro\n\n## Approval limits\n\nbody\n\n## Other\nx\n# Next\n"

    assert heads(text) == [
        ("payment", 1, 10),
        ("payment/approval-limits", 5, 8),
        ("payment/other", 9, 10),
        ("next", 11, 11),
    ]
    assert sections(text)[1].headings == ("Payment", "Approval limits")


def test_sections_skip_hash_lines_in_fences_lists_and_quotes() -> None:
    text = "# A\n```sh\n# not\n```\n~~~~\n# not\n~~~\n# not\n~~~~\n- # item\n\n> # quoted\n\n# B\n"

    assert [name for name, *_ in heads(text)] == ["a", "b"]


def test_sections_see_setext_and_indented_headings() -> None:
    assert heads("Title\n=====\n\n   ## Two\nx\n\nThree\n---\n") == [
        ("title", 1, 8),
        ("title/two", 4, 6),
        ("title/three", 7, 8),
    ]


def test_sections_of_repeated_heading_paths_get_ordinals() -> None:
    text = "# A\n## Steps\n## Steps\n### x\n## Steps-2\n# A\n## Steps\n"

    assert [name for name, *_ in heads(text)] == [
        "a",
        "a/steps",
        "a/steps-2",
        "a/steps-2/x",
        "a/steps-2-2",
        "a-2",
        "a-2/steps",
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_sections_below_frontmatter_keep_file_lines(newline: str, mark: str) -> None:
    text = mark + newline.join(["---", "name: x", "# comment", "---", "# One", "", "## Two", ""])

    assert heads(text) == [("one", 5, 7), ("one/two", 7, 7)]


def test_sections_of_unclosed_frontmatter_still_find_headings() -> None:
    assert heads("---\nname: x\n\n# One\n") == [("one", 4, 4)]


def test_sections_of_lone_carriage_returns_stay_on_the_line_git_counts() -> None:
    assert heads("# A\rtext\r# B\r") == [("a", 1, 1), ("b", 1, 1)]


def test_sections_of_markup_in_headings_give_plain_words() -> None:
    found = sections("## `run` the **job** [now](x.md)\n")[0]

    assert found.headings == ("run the job now",)
    assert found.slug == "run-the-job-now"


def test_sections_of_very_many_equal_headings_stay_distinct() -> None:
    found = sections("# a\n" * 5000)

    assert len({section.slug for section in found}) == 5000


def test_slug_keeps_letters_of_other_scripts() -> None:
    assert slug("Überweisungen & Grenzen: 第1条") == "überweisungen--grenzen-第1条"
    assert slug("!!!") == "section"


def test_innermost_finds_the_deepest_section_or_none() -> None:
    found = sections("intro\n# A\n## B\nx\n# C\n")

    assert innermost(found, 1) is None
    below = innermost(found, 4)
    assert below is not None
    assert below.slug == "a/b"


@given(NASTY)
def test_sections_of_any_text_are_in_bounds_and_nest(text: str) -> None:
    found = sections(text)
    total = max(1, text.count("\n") + (not text.endswith("\n")))

    assert len({section.slug for section in found}) == len(found)
    for section in found:
        assert 1 <= section.first_line <= section.last_line <= total
        assert 1 <= section.level <= 6
    for before, after in pairwise(found):
        assert before.first_line <= after.first_line
        inside = after.level > before.level
        assert after.last_line <= before.last_line if inside else True
        assert inside == after.slug.startswith(before.slug + "/")


@given(st.lists(st.sampled_from(["# a", "## b", "### c", "text", "", "```"]), max_size=30))
def test_sections_at_one_level_never_overlap(lines: list[str]) -> None:
    found = sections("\n".join(lines))

    for before, after in pairwise(found):
        if after.level <= before.level:
            assert before.last_line < after.first_line
