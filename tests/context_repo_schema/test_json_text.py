"""JSON with comments, trailing commas and repeated keys."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.json_text import has_extensions, load_json, repeated_keys
from context_repo_schema.problem import Malformed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


def test_load_json_takes_comments_and_trailing_commas() -> None:
    text = '\ufeff{ // one\n "a": "//no, }", /* two\n */ "b": [1, 2,],\n}\n'

    assert load_json(text) == {"a": "//no, }", "b": [1, 2]}
    assert has_extensions(text)


@pytest.mark.parametrize(
    ("text", "line"), [('{\n "a": 1\n "b": 2\n}', 3), ("", 1), ("{}\nx", 2), ("[" * 99_999, 1)]
)
def test_load_json_of_a_broken_text_names_the_line(text: str, line: int) -> None:
    with pytest.raises(Malformed) as caught:
        load_json(text)

    assert caught.value.line == line


def test_repeated_keys_are_found_in_the_object_they_repeat_in() -> None:
    text = '{"a": {"b": "a\\": 1"},\n "b": [{"a": 1}, {"a": 2}],\n\n "a": 3}'

    assert list(repeated_keys(text)) == [(4, "a")]


@given(VALUES)
def test_load_json_of_any_value_is_the_value(value: object) -> None:
    text = json.dumps(value, indent=1)

    assert load_json(text) == value
    assert not has_extensions(text)
    assert list(repeated_keys(text)) == []


@given(st.text(st.sampled_from('{}[]:,"\\/* \na1'), max_size=60))
def test_load_json_of_any_text_answers_or_names_a_line(text: str) -> None:
    list(repeated_keys(text))
    lines = range(1, text.count("\n") + 2)
    try:
        load_json(text)
    except Malformed as error:
        line = error.line
    else:
        line = 1
    assert line in lines
