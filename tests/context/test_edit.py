import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.edit import apply, apply_all, occurrences, replace_span
from bot.errors import EditRefused
from bot.records.change import Edit

TEXTS = st.text(alphabet="ab \r\n\ufeffé", max_size=80)


def test_update_changes_the_span_alone_in_crlf_with_bom_and_no_last_newline() -> None:
    text = "\ufeff---\r\nname: x\r\n---\r\nwithin 30 days"
    edit = Edit("a.md", "UPDATE", "14 days", "30 days")
    assert apply(edit, text) == "\ufeff---\r\nname: x\r\n---\r\nwithin 14 days"


@pytest.mark.parametrize(
    ("edit", "text", "says"),
    [
        (Edit("a.md", "UPDATE", "x", "aa"), "aaa", "occurs 2 times"),
        (Edit("a.md", "UPDATE", "x", "b"), "aaa", "occurs 0 times"),
        (Edit("a.md", "UPDATE", "x", ""), "aaa", "occurs 0 times"),
        (Edit("a.md", "UPDATE", "x", "b"), None, "use CREATE"),
        (Edit("a.md", "UPDATE", None, "a"), "a", "both the old and the new"),
        (Edit("a.md", "CREATE", "x"), "", "already stands"),
        (Edit("a.md", "CREATE"), None, "needs the new text"),
        (Edit("a.md", "DELETE"), None, "no such file"),
        (Edit("a.md", "DELETE", old="x"), "x", "use UPDATE"),
    ],
)
def test_edit_that_does_not_fit_is_refused_by_a_sentence(
    edit: Edit, text: str | None, says: str
) -> None:
    with pytest.raises(EditRefused, match=r"^a\.md: .*\.$") as refused:
        apply(edit, text)
    assert says in str(refused.value)


def test_apply_all_lets_each_edit_see_the_one_before() -> None:
    edits = [
        Edit("new.md", "CREATE", "one"),
        Edit("new.md", "UPDATE", "two", "one"),
        Edit("old.md", "DELETE"),
        Edit("kept.md", "UPDATE", "b", "a"),
        Edit("kept.md", "UPDATE", "c", "b"),
    ]
    texts = {"old.md": "x", "kept.md": "a", "other.md": "y"}
    assert apply_all(edits, texts) == {"new.md": "two", "old.md": None, "kept.md": "c"}


@given(text=TEXTS, new=st.text(alphabet="ab\n", max_size=5), data=st.data())
def test_replace_span_replaces_that_span_whatever_repeats(
    text: str, new: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if text[start:end] == new:
        with pytest.raises(EditRefused, match="change nothing"):
            replace_span("a.md", text, start, end, new)
        return
    edit = replace_span("a.md", text, start, end, new)
    assert edit.old is not None
    assert occurrences(edit.old, text) == 1
    assert apply(edit, text) == text[:start] + new + text[end:]


def test_replace_span_widens_no_more_than_it_must() -> None:
    text = "fee 10 EUR for A\nfee 10 EUR for B\n"
    edit = replace_span("a.md", text, text.rindex("10"), text.rindex("10") + 2, "12")
    assert edit.old is not None
    assert edit.old.count("\n") <= 1
    assert replace_span("a.md", text, 0, 0, "x").old != text
    assert replace_span("a.md", "30 days", 0, 2, "14").old == "30"
