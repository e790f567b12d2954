"""Foreign text can be read and does nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.defang import (
    CELL_LENGTH,
    LOOK_ALIKE,
    bare,
    cell,
    code,
    fence,
    inert,
    line,
    log_line,
    plain,
    short,
)
from tests.hostile import HOSTILE

LIVE = re.compile(r"(?<!\w)@\w|#\d|GH-\d|(?i:\bgh-\d|https?://|www\.\w)")
TAG = re.compile(r"<[!/?a-zA-Z]")
RENDERERS = (cell, code, fence, line)
TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=400),
    st.lists(st.sampled_from(HOSTILE), max_size=4).map("".join),
    st.text(alphabet="@#<>|`~\\:/.-&;gGhH12 \n\r\u200b\x1b[", max_size=60),
)


def hidden(text: str) -> list[str]:
    """The characters that cannot be seen."""
    return [
        char
        for char in text
        if char != "\n"
        and char != "\t"
        and (
            unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
            or "\U000e0100" <= char <= "\U000e01ef"
        )
    ]


def test_corpus_is_large() -> None:
    assert len(set(HOSTILE)) >= 100


@pytest.mark.parametrize("render", RENDERERS)
@given(text=TEXT)
def test_nothing_notifies_links_closes_or_hides(render: Callable[[str], str], text: str) -> None:
    require_harmless(render(text))


@pytest.mark.parametrize("render", RENDERERS)
def test_the_whole_corpus_is_harmless(render: Callable[[str], str]) -> None:
    for text in HOSTILE:
        require_harmless(render(text))


def require_harmless(shown: str) -> None:
    assert not LIVE.search(shown)
    assert not TAG.search(shown)
    assert hidden(shown) == []


@given(text=TEXT)
def test_a_cell_is_one_cell(text: str) -> None:
    shown = cell(text)
    assert len(shown) <= CELL_LENGTH
    assert "\n" not in shown
    html = MarkdownIt("commonmark").enable("table").render(f"| a | b |\n| - | - |\n| {shown} | x |")
    assert html.count("<td") == 2
    assert html.count("</table>") == 1
    assert not re.search(r"<(?!/?(?:table|thead|tbody|tr|th|td)\b)", html)


@given(text=TEXT)
def test_a_fence_holds_all_of_its_text(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(fence(text) + "\n\nbehind")
    assert [token.type for token in tokens] == [
        "fence",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]


@given(text=TEXT)
def test_a_code_span_is_one_span(text: str) -> None:
    children = MarkdownIt("commonmark").parseInline(code(text))[0].children or []
    assert [child.type for child in children] == ["code_inline"]


@given(text=TEXT)
def test_no_workflow_command_starts_in_a_log_line(text: str) -> None:
    shown = log_line(text)
    assert "\n" not in shown
    assert not shown.lstrip().startswith("::")
    assert "##[" not in shown
    assert "%" not in shown.replace("%25", "")


@given(text=TEXT)
def test_no_workflow_command_starts_in_a_fence(text: str) -> None:
    assert not any(row.lstrip().startswith("::") for row in fence(text).split("\n"))


@given(text=TEXT)
def test_no_workflow_command_starts_in_inert_lines(text: str) -> None:
    shown = inert(text)
    assert not any(row.lstrip().startswith("::") for row in shown.split("\n"))
    assert "##[" not in shown


def test_blank_lines_take_no_long_time() -> None:
    assert inert("\n" * 200_000) == "\n" * 200_000


@given(text=TEXT, length=st.integers(1, 40))
def test_short_is_one_line_and_says_where_it_was_cut(text: str, length: int) -> None:
    shown = short(text, length)
    assert len(shown) <= length
    assert len(shown.splitlines()) <= 1
    assert shown == " ".join(text.split()) or shown.endswith("…")


@given(text=TEXT)
def test_what_is_bare_knows_its_places(text: str) -> None:
    seen, places = bare(text)
    assert len(seen) == len(places)
    assert "".join(text[place] for place in places).translate(LOOK_ALIKE) == seen
    assert list(places) == sorted(set(places))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ask @dev about #12", "ask (at)dev about no.12"),
        ("see https://x.example/a", "see hxxps://x.example/a"),
        ("limit is $25,000 (50 %)", "limit is $25,000 (50 %)"),
        ("Größe 3 m², 日本語, می‌خواهم", "Größe 3 m², 日本語, میخواهم"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\u202eb", "a[hidden]b"),
        ("high-5", "high-5"),
    ],
)
def test_text_stays_readable(text: str, shown: str) -> None:
    assert plain(text) == shown
