"""YAML as nodes with lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.problem import Malformed
from context_repo_schema.yaml_text import compose, parse, repeated_keys, text_value, typed_value


def test_typed_value_follows_the_core_schema_and_leaves_dates_as_text() -> None:
    node = compose("a: 0x1f\nb: -1.5\nc: true\nd: ~\ne: 2026-02-01\nf: 'on'\ng: off\nh: .inf\n")

    assert node is not None
    assert typed_value(node) == {
        "a": 31,
        "b": -1.5,
        "c": True,
        "d": None,
        "e": "2026-02-01",
        "f": "on",
        "g": "off",
        "h": float("inf"),
    }
    assert text_value(node)["a"] == "0x1f"


def test_compose_refuses_what_grows_without_bound() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )

    with pytest.raises(Malformed, match="anchor"):
        compose(bomb)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [", 2),
        ("a: 1\na: 2\n", 2),
        ("a: b: c\n", 1),
        ("- a\n---\n- b\n", 2),
        ("? {}\n", 1),
    ],
)
def test_compose_of_a_broken_text_names_the_line(text: str, line: int) -> None:
    with pytest.raises(Malformed) as caught:
        compose(text)

    assert caught.value.line == line


def test_repeated_keys_are_all_named() -> None:
    node = parse("a: 1\nb: {c: 1, c: 2}\na: 3\n")

    assert node is not None
    assert sorted(repeated_keys(node)) == [(2, "c"), (3, "a")]


@given(st.text(st.sampled_from("ab:-[]{}&*!|>'\"#\n \t?,%@"), max_size=50))
def test_compose_of_any_text_answers_or_names_a_line(text: str) -> None:
    try:
        node = compose(text)
    except Malformed as error:
        line = error.line
    else:
        line = 1
        assert node is None or repr(typed_value(node))
    assert line in range(1, text.count("\n") + 3)
