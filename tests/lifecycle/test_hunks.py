"""Changed places are known by their lines, wherever these have moved to."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.context.diff import unified_diff
from bot.lifecycle.hunks import holds, hunks, overlap, reapplied, undone

LINES = [f"line {at} of the file" for at in range(30)]
OLD = "\n".join(LINES) + "\n"
WORDS = st.text(alphabet="abc xyz\t|#-", min_size=5, max_size=12).filter(str.strip)


def test_hunks_of_a_diff_have_their_neighbours() -> None:
    (one, two) = hunks("a.md", unified_diff("a.md", OLD, edited(OLD, 3, "x") + "end\n"))
    assert (one.removed, one.added) == (("line 3 of the file",), ("x",))
    assert (one.before, one.after) == ("line 2 of the file", "line 4 of the file")
    assert (two.removed, two.added, two.before, two.after) == (
        (),
        ("end",),
        "line 29 of the file",
        None,
    )


def edited(text: str, at: int, new: str) -> str:
    lines = text.split("\n")
    lines[at] = new
    return "\n".join(lines)


@given(at=st.integers(0, 29), word=WORDS, other=st.integers(0, 29), more=WORDS)
def test_a_patch_is_carried_over_other_changes(at: int, word: str, other: int, more: str) -> None:
    """Wherever another line of the file was changed, ours comes to stand where it belongs."""
    assume(at != other and word != more)
    ours, base = edited(OLD, at, word), edited(OLD, other, more)
    made = reapplied(base, hunks("a.md", unified_diff("a.md", OLD, ours)))
    assert made == edited(base, at, word)
    assert holds(made, hunks("a.md", unified_diff("a.md", OLD, ours)))
    assert undone(base, hunks("a.md", unified_diff("a.md", OLD, ours)))


@given(at=st.integers(0, 29), word=WORDS, more=WORDS)
def test_the_same_line_changed_otherwise_is_no_place(at: int, word: str, more: str) -> None:
    places = hunks("a.md", unified_diff("a.md", OLD, edited(OLD, at, word)))
    base = edited(OLD, at, more)
    assert reapplied(base, places) is None
    assert not undone(base, places)
    assert overlap(places, hunks("a.md", unified_diff("a.md", OLD, base)))
    assert not overlap(places, hunks("b.md", unified_diff("b.md", OLD, base)))


@given(at=st.integers(0, 30), word=WORDS)
def test_an_added_line_stands_between_its_neighbours(at: int, word: str) -> None:
    lines = OLD.split("\n")
    ours = "\n".join([*lines[:at], word, *lines[at:]])
    places = hunks("a.md", unified_diff("a.md", OLD, ours))
    assert reapplied(OLD, places) == ours
    assert holds(ours, places)
    assert undone(OLD, places)


@pytest.mark.parametrize("text", ["", "twice\nmore\ntwice\n"])
def test_a_place_that_is_not_there_once_is_refused(text: str) -> None:
    places = hunks("a.md", unified_diff("a.md", "one\ntwice\nend\n", "one\nnew\nend\n"))
    assert reapplied(text, places) is None


@given(text=st.text(max_size=300))
def test_anything_may_be_read_as_a_diff(text: str) -> None:
    for hunk in hunks("a.md", text):
        assert hunk.removed or hunk.added


def test_short_lines_tell_of_no_place() -> None:
    one = hunks("a", unified_diff("a", "- a\n---\n- b\n", "- a\n- b\n"))
    other = hunks("a", unified_diff("a", "x\n---\ny\n", "x\ny\n"))
    assert not overlap(one, other)
