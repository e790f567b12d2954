"""Frontmatter: what it says, where it stands, and what is done with what is no YAML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.frontmatter import frontmatter, key_line


def test_frontmatter_keeps_scalars_as_written() -> None:
    block = frontmatter(
        "---\nversion: 1.10\ndate: 2026-02-01\non: yes\nnothing:\nlist: [a, 2]\n---\n"
    )

    assert block is not None
    assert block.problem is None
    assert block.meta == {
        "version": "1.10",
        "date": "2026-02-01",
        "on": "yes",
        "nothing": None,
        "list": ["a", "2"],
    }


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_frontmatter_with_mark_and_any_newline_spans_the_block(newline: str) -> None:
    text = "\ufeff" + newline.join(["---", "owner: finance", "---", "body"])

    block = frontmatter(text)

    assert block is not None
    assert block.meta == {"owner": "finance"}
    assert text[block.start : block.end] == newline.join(["---", "owner: finance", "---"])


def test_frontmatter_of_cursor_is_read_line_by_line() -> None:
    block = frontmatter('---\ndescription: "a rule"\nglobs: **/*\nalwaysApply: false\n---\n')

    assert block is not None
    assert block.problem
    assert block.problem_line == 3
    assert block.meta == {"description": "a rule", "globs": "**/*", "alwaysApply": "false"}


def test_frontmatter_with_an_unquoted_colon_names_its_line() -> None:
    block = frontmatter("---\nname: x\ndescription: Use: when asked\n---\n")

    assert block is not None
    assert block.problem_line == 3
    assert block.meta["description"] == "Use: when asked"


@pytest.mark.parametrize(
    "block",
    [
        "a: &x [1]\nb: *x",
        "a: 1\na: 2",
        "a: !!python/name:os.system x",
        "[" * 60_000,
        "k: v\n" * 20_000,
        "? [1]\n: 2",
    ],
    ids=["anchor", "repeated", "tag", "deep", "long", "odd-key"],
)
def test_frontmatter_of_hostile_yaml_never_raises(block: str) -> None:
    found = frontmatter(f"---\n{block}\n---\n")

    assert found is not None
    assert found.closed


def test_frontmatter_that_is_no_mapping_is_a_problem() -> None:
    block = frontmatter("---\n- a\n- b\n---\n")

    assert block is not None
    assert block.problem
    assert block.meta == {}


@pytest.mark.parametrize("text", ["", "# A\n", "text\n---\na: b\n---\n", "----\n", "--- a\n---\n"])
def test_frontmatter_of_a_file_without_one_is_none(text: str) -> None:
    assert frontmatter(text) is None


def test_frontmatter_never_closed_says_so() -> None:
    block = frontmatter("---\nname: x\n# Title\n")

    assert block is not None
    assert not block.closed
    assert block.meta == {}


def test_key_line_counts_from_the_top_of_the_file() -> None:
    text = "---\nname: x\ndescription: y\n---\n"
    block = frontmatter(text)

    assert block is not None
    assert key_line(text, block, "description") == 3
    assert key_line(text, block, "missing") == 1


@given(st.text(st.sampled_from("-.\n\r :ab*&#'\"[]{}\t!\ufeff"), max_size=60) | st.text())
def test_frontmatter_of_any_text_lies_within_it(text: str) -> None:
    block = frontmatter("---\n" + text)

    assert block is None or 0 <= block.start <= block.end <= len(text) + 4
