from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.edit import apply
from bot.context.edits.lists import insert_list_item, insert_table_row
from bot.context.edits.markdown import insert_into_section
from bot.errors import EditRefused
from bot.records.change import Edit

PAGE = """\
---
a: 1
---
# Title

Intro.

## Refunds

1. First
2. Second
   more

   para
3. Third

| Item | Fee |
|------|-----|
| A    | 60  |
| Long name | 95 |

---

## Next
- x
- y
### Sub
```
# no heading
```

Empty
-----
## Same
## Same
"""

Builder = Callable[[str], Edit]


def lists(section: str, item: str, after: str | None = None) -> Builder:
    return lambda text: insert_list_item("a.md", text, section, item, after)


def rows(section: str, cells: list[str], after: str | None = None) -> Builder:
    return lambda text: insert_table_row("a.md", text, section, cells, after)


def block(section: str | tuple[str, ...], text_: str) -> Builder:
    return lambda text: insert_into_section("a.md", text, section, text_)


@pytest.mark.parametrize("form", ["plain", "crlf", "no last newline", "bom"])
@pytest.mark.parametrize(
    ("build", "old", "new"),
    [
        (block("title/refunds", "A rule.\n"), "| 95 |\n", "| 95 |\n\nA rule.\n"),
        (block("title/refunds", "| B | 3 |"), "| 95 |\n", "| 95 |\n| B | 3 |\n"),
        (block(("Title", "Next"), "- z"), "- y\n", "- y\n- z\n"),
        (block("title/next", "A rule."), "- y\n", "- y\n\nA rule.\n\n"),
        (block("title", "More."), "Intro.\n", "Intro.\n\nMore.\n"),
        (block("title/next/sub", "Text."), "```\n\nE", "```\n\nText.\n\nE"),
        (block("title/same-2", "Text."), "## Same\n## Same", "## Same\n## Same\nText."),
        (lists("title/next", "z"), "- y\n", "- y\n- z\n"),
        (lists("title/next", "between", "x"), "- x\n", "- x\n- between\n"),
        (lists("title/refunds", "Fourth"), "3. Third\n", "3. Third\n4. Fourth\n"),
        (
            lists("title/refunds", "New\nline", "First"),
            "2. Second\n   more\n\n   para\n3. T",
            "2. New\n   line\n3. Second\n   more\n\n   para\n4. T",
        ),
        (rows("title/refunds", ["B|x", "7"]), "| 95 |\n", "| 95 |\n| B\\|x      | 7  |\n"),
        (rows("title/refunds", ["B", "7"], "A"), "| 60  |\n", "| 60  |\n| B    | 7   |\n"),
    ],
)
def test_addition_stands_where_a_reader_looks_and_nothing_else_changes(
    build: Builder, old: str, new: str, form: str
) -> None:
    def formed(text: str) -> str:
        match form:
            case "crlf":
                return text.replace("\n", "\r\n")
            case "no last newline":
                return text.removesuffix("\n")
            case "bom":
                return "\ufeff" + text
            case _:
                return text

    text = formed(PAGE)
    wanted = formed(PAGE[::-1].replace(old[::-1], new[::-1], 1)[::-1])
    assert apply(build(text), text) == wanted


def test_list_that_repeats_one_number_goes_on_doing_so() -> None:
    text = "# A\n\n1. x\n1. y\n"
    assert apply(lists("a", "z")(text), text) == text + "1. z\n"


def test_loose_list_stays_loose() -> None:
    text = "# A\n\n* x\n\n* y\n\n## B\n"
    wanted = "# A\n\n* x\n\n* y\n\n* z\n\n## B\n"
    assert apply(lists("a", "z")(text), text) == wanted
    assert apply(block("a", "* z")(text), text) == wanted


@pytest.mark.parametrize(
    ("build", "text", "says"),
    [
        (block("absent", "x"), "# A\n## B\n", "name one of: a, a/b"),
        (block(("A",), "x"), "# A\n# A\n", "2 sections"),
        (block("a", "x"), "# A\n```\ncode\n", "code block"),
        (lists("a", "x"), "# A\ntext\n", "no list"),
        (lists("a", "x", "q"), "# A\n- y\n", "0 items hold 'q'"),
        (rows("a", ["x"]), "# A\n| a | b |\n|---|---|\n| 1 | 2 |\n", "2 columns"),
        (rows("a", ["x"]), "# A\n", "no table"),
    ],
)
def test_what_has_no_place_is_refused_with_a_cure(build: Builder, text: str, says: str) -> None:
    with pytest.raises(EditRefused, match=r"^a\.md.*\.$") as refused:
        build(text)
    assert says in str(refused.value)


LINES = st.lists(
    st.sampled_from(
        ["# A", "## B", "text", "- item", "1. one", "  - deep", "", "```", "---", "| a | b |", ">q"]
    ),
    max_size=12,
)


@given(lines=LINES, newline=st.sampled_from(["\n", "\r\n"]), end=st.booleans())
def test_any_page_either_refuses_or_gains_lines_only(
    lines: list[str], newline: str, end: bool
) -> None:
    text = newline.join(["# Top", "", *lines]) + (newline if end else "")
    for build in (block("top", "New."), block("top", "- new"), lists("top", "new")):
        try:
            changed = apply(build(text), text)
        except EditRefused:
            continue
        assert changed is not None
        kept = iter(changed.split(newline))
        assert all(any(line == other for other in kept) for line in text.split(newline))
        assert changed.endswith(newline) == text.endswith(newline)
