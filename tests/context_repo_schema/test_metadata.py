"""Metadata: one name a fact, wherever it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.metadata import metadata, normalised


def test_metadata_of_body_lines_is_normalised() -> None:
    text = (
        "# Refunds\n\n**Policy Owner**: Tech Ops\n**Effective Date**: Feb 1, 2022\n"
        "*Last Updated Date:* Jan 25, 2022\n> Status: approved, 27 May 2026\n\n## 1. Rule\n"
    )

    assert metadata(text) == {
        "owner": "Tech Ops",
        "effective_date": "Feb 1, 2022",
        "last_updated": "Jan 25, 2022",
        "status": "approved, 27 May 2026",
    }


def test_metadata_keeps_the_frontmatter_above_the_body() -> None:
    text = "---\nowner: finance\nlast-modified: 2026-01-02\nx: 1\n---\n**Owner:** sales\n"

    assert metadata(text) == {
        "owner": "finance",
        "last-modified": "2026-01-02",
        "x": "1",
        "last_updated": "2026-01-02",
    }


def test_metadata_one_level_down_counts_where_the_top_is_silent() -> None:
    meta = {"version": "2", "metadata": {"owner": "desk", "version": "1", "authority": "sop"}}

    assert normalised(meta) == {"owner": "desk", "version": "2", "authority": "sop"}


def test_metadata_of_open_knowledge_pages_says_who_and_when() -> None:
    meta = {
        "generated": {"by": "x", "at": "2026-01-05"},
        "verified": [{"by": "human:a"}, {"by": "human:b"}],
    }

    assert normalised(meta) == {"last_updated": "2026-01-05", "approved_by": "human:b"}


def test_metadata_of_a_two_column_table_is_read_and_its_head_is_not() -> None:
    text = "| Status | Meaning |\n|---|---|\n| Owner | Desk A |\n| Version | 3 | draft |\n"

    assert metadata(text) == {"owner": "Desk A"}


def test_metadata_in_a_fence_is_an_example() -> None:
    assert metadata("# A\n```yaml\nowner: nobody\n```\nVersion: 2\n") == {"version": "2"}


@pytest.mark.parametrize("value", ["", "null", "~", "None", "-"])
def test_metadata_that_says_nothing_is_left_out(value: str) -> None:
    assert "superseded_by" not in metadata(f"# A\n\n**Superseded by:** {value}\n")
    assert normalised({"replaced_by": value or None}) == {}


def test_metadata_in_other_languages_is_known() -> None:
    assert metadata("# A\n\n**Gültig ab:** 1. März 2026\n**Eigentümer:** Einkauf\n") == {
        "effective_date": "1. März 2026",
        "owner": "Einkauf",
    }
    assert metadata("# A\n\n生效日期：2026年3月1日\n") == {"effective_date": "2026年3月1日"}


def test_metadata_of_the_foot_is_read_and_of_the_middle_is_not() -> None:
    filler = "word\n" * 60

    assert metadata(f"# A\n{filler}Owner: middle\n{filler}Version: 7\n") == {"version": "7"}


@given(st.text(st.sampled_from("*_|:- \n\r`~#Ownerstatu1\ufeff"), max_size=120) | st.text())
def test_metadata_of_any_text_is_a_mapping(text: str) -> None:
    assert all(isinstance(key, str) for key in metadata(text))
