"""JSON out of whatever a model wraps it in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engines.llm.parse import json_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(min_size=1, max_size=8), VALUES, min_size=1, max_size=4)


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "H1"}',
        '```json\n{"id": "H1"}\n```',
        'Here you are: {"id": "H1"} I hope it helps {really}.',
        'The set {a, b} gives {"id": "H1"}',
        '{"id": "H1",}',
        '{"id": "H1", \n }',
        '<think>{"id": "H9"} no…</think>\n{"id": "H1"}',
        '{"id": "H1", "why": "beca',
        '{"id": "H1", "wh',
        '{"id": "H1", "list": [1, 2',
        '{"id": "H1", "n": tru',
        '{"id": "H1"',
    ],
)
def test_the_object_is_found(text):
    assert json_object(text)["id"] == "H1"


@pytest.mark.parametrize("text", ["", "no", "[1, 2]", "{", "{}", "{'id': 1}", '"{"', "}{"])
def test_where_there_is_none_there_is_none(text):
    assert json_object(text) is None


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_no_json(constant):
    assert json_object(f'{{"score": {constant}}}') is None


def test_a_raw_line_break_inside_a_string_is_one():
    assert json_object('{"a": "x\ny"}') == {"a": "x\ny"}


@given(OBJECTS, st.text(alphabet="abc ,.:\n`", max_size=20), st.text(max_size=20))
def test_any_object_is_found_between_prose(value, before, after):
    assert json_object(f"{before}{json.dumps(value)}{after}") == value


@given(OBJECTS, st.data())
def test_a_cut_never_fails_and_never_invents_keys(value, data):
    text = json.dumps(value)
    found = json_object(text[: data.draw(st.integers(0, len(text)))])
    whole = {key for key in (found or {}) if key in value}
    assert found is None or len(found) - len(whole) <= 1


@given(st.text(alphabet='{}[]",:\\abc1 \n'))
def test_no_text_breaks_it(text):
    assert json_object(text) is None or isinstance(json_object(text), dict)
