"""From what a model quotes to what really stands there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engines.llm.verbatim import found_in, node_quote, repo_quote, turn_quote
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn

TEXT = "Invoices “UNDER $50,000”  go\nthe standard way; mail jo@example.org first.\n"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("the standard way", "the standard way"),
        ('"UNDER $50,000" go the standard way', "“UNDER $50,000”  go\nthe standard way"),
        ("go\\nthe standard", "go\nthe standard"),
        ("mail [redacted:EMAIL] first", "mail jo@example.org first"),
        ("Invoices “UNDER ... the standard way; mail", "the standard way; mail"),
        ("Invoices over $50,000", None),
        ("go … way", None),
        ("", None),
        ("  ", None),
    ],
)
def test_a_quote_is_found_word_for_word_or_not_at_all(quote, found):
    assert found_in(quote, TEXT) == found


@given(st.text(min_size=1, max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_what_is_found_always_stands_there(text, start, end):
    found = found_in(text[start:end], text)
    assert found is None or found in text


@given(st.text(), st.text())
def test_hostile_quotes_never_break_it(quote, text):
    found = found_in(quote, text)
    assert found is None or found in text


def test_a_quote_of_a_node_may_stand_in_its_tool_or_turn():
    node = Node("n1", 2, "tool_call", tool=ToolCall("t", {"a": 1}, {"rows": [{"x": "said so"}]}))
    session = Trajectory(
        "s", (Turn(1, "user", "hi"), Turn(2, "assistant", "my answer")), nodes=(node,)
    )
    assert node_quote(session, "n1", "said  so").quote == "said so"
    assert node_quote(session, "n1", "my answer").quote == "my answer"
    assert node_quote(session, "n1", '{"a": 1}').quote == '{"a": 1}'
    assert node_quote(session, "n1", "hi") is None
    assert node_quote(session, "n2", "hi") is None
    assert turn_quote(session, 1, "hi") == "hi"
    assert turn_quote(session, 2, "hi") is None


def test_a_quote_of_a_file_has_its_line():
    quote = repo_quote({"a.md": TEXT}, "a.md", "the standard way")
    assert (quote.path, quote.line, quote.quote) == ("a.md", 2, "the standard way")
    assert repo_quote({"a.md": TEXT}, "b.md", "the standard way") is None
