"""The body keeps to GitHub's limits and to its island."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.reports.body import (
    BEGIN,
    END,
    MAX_UTF8,
    MAX_UTF16,
    Body,
    Change,
    Quote,
    Witness,
    refreshed,
    render,
    split,
    with_island,
)
from tests.hostile import HOSTILE

MARKER = '<!-- trace-bot:v1 {"u":"x"} -->'
SMALL = Body(
    headline="**Update `a.md`** · 1 failed run",
    changes=(Change("Update", "a.md", "A", "+1 -1", "why"),),
    cause="It followed it.",
    rival="Another was less likely.",
    repo_quotes=(Quote("a.md:1", "old"),),
    witnesses=(Witness("s1", "2026-01-01", "correction", "n", "wrong"),),
    total=1,
    quotes=(Quote("s1", "that is wrong"),),
    checks=(("it applies", "passed"),),
    risk="Nothing else reads it.",
    earlier="",
    options="Merge or close.",
    footer="Written by trace-bot.",
    marker=MARKER,
)


def fits(text: str) -> bool:
    return len(text.encode("utf-16-le")) // 2 <= MAX_UTF16 and len(text.encode()) <= MAX_UTF8


@pytest.mark.parametrize("sign", ["x", "é", "日", "👩", "~"])
def test_a_huge_body_is_cut_and_stays_whole(sign: str) -> None:
    body = msgspec.structs.replace(
        SMALL,
        witnesses=tuple(Witness(f"s{at}", "", "", "", sign * 200) for at in range(5_000)),
        total=5_000,
        quotes=tuple(Quote(f"s{at}", sign * 4_000) for at in range(20)),
        repo_quotes=(Quote("a.md:1", sign * 30_000),),
    )
    text = render(body)
    assert fits(text)
    assert text.startswith(BEGIN)
    assert text.endswith(f"{MARKER}\n{END}")
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert html.count("<details>") == html.count("</details>")
    assert html.count("<table>") == 3
    assert "of 5000 shown." in text


def test_quotes_go_first_then_rows_then_the_rival() -> None:
    big = "x" * 40_000
    body = msgspec.structs.replace(SMALL, quotes=(Quote("s1", big), Quote("s2", big)))
    text = render(body)
    assert text.count(big) == 1
    assert "Another was less likely." in text
    body = msgspec.structs.replace(SMALL, repo_quotes=(Quote("a.md:1", big * 2),))
    text = render(body)
    assert big not in text
    assert "Another was less likely." not in text
    assert "Merge or close." in text


@given(
    before=st.sampled_from(["", "Ours above.\n\n", *(t for t in HOSTILE if "trace-bot:" not in t)]),
    after=st.sampled_from(["", "\n\nOurs below."]),
)
def test_what_stands_around_the_island_is_kept(before: str, after: str) -> None:
    text = before + render(SMALL) + after
    parts = split(text)
    assert parts is not None
    assert (parts[0], parts[2]) == (before, after)
    other = f"{BEGIN}\nnew\n{END}"
    assert with_island(text, other) == before + other + after


@pytest.mark.parametrize("text", ["", "mine", BEGIN, END, f"{END} {BEGIN}"])
def test_without_an_island_nothing_is_written(text: str) -> None:
    assert with_island(text, "new") is None


@given(words=st.sampled_from(HOSTILE))
def test_new_evidence_leaves_the_rest_of_the_island(words: str) -> None:
    old = msgspec.structs.replace(SMALL, quotes=(Quote("s1", words),))
    new = msgspec.structs.replace(
        SMALL,
        headline="**Update `a.md`** · 9 failed runs",
        changes=(Change("Update", "a.md", "A", "+7 -7", "another"),),
        witnesses=(*SMALL.witnesses, Witness("s2", "2026-01-02", "correction", "n", words)),
        total=2,
    )
    text = refreshed(render(old), render(new), "<!-- trace-bot:v1 {} -->")
    assert "9 failed runs" in text
    assert "| s2 |" in text
    assert "+1 -1" in text
    assert "+7 -7" not in text
    assert text.endswith(f"<!-- trace-bot:v1 {{}} -->\n{END}")
    assert [row for row in text.split("\n") if row.startswith("### ")] == [
        row for row in render(old).split("\n") if row.startswith("### ")
    ]


def test_earlier_attempts_only_where_there_are_some() -> None:
    assert "### Earlier attempts" not in render(SMALL)
    tried = msgspec.structs.replace(SMALL, earlier="no.3 was merged.")
    assert "### Earlier attempts\nno.3 was merged." in render(tried)
