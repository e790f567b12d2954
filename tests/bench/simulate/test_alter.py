"""Other values in the same spelling, and the same value in other spellings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.bench.simulate.alter import altered, respelled
from bot.bench.simulate.phrases import LANGUAGES, forms
from bot.provenance.values import Value, comparable, same, values

TEXTS = ("$25,000", "2.5%", "14 days", "2026-03-14", "10:30", "30 days", "€60.00", "12 months")


def value(text: str) -> Value:
    (found,) = values(text)
    return found


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 10_000))
def test_an_altered_value_is_another_one_of_its_kind(text: str, seed: int) -> None:
    other = altered(value(text), random.Random(seed))
    assert other is not None
    assert comparable(value(other), value(text))
    assert not same(value(other), value(text))


@settings(deadline=None)
@given(st.integers(1, 10**7), st.integers(0, 100))
def test_thousands_keep_their_marks(number: int, seed: int) -> None:
    text = f"${number:,}"
    other = altered(value(text), random.Random(seed))
    assert other is None or value(other).unit == value(text).unit


@pytest.mark.parametrize("text", ["two weeks", "v2.1.0", "Monday"])
def test_what_has_no_number_to_change_is_left(text: str) -> None:
    for found in values(text):
        assert altered(found, random.Random(1)) is None


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.sampled_from(LANGUAGES), st.integers(0, 1000))
def test_a_respelled_value_reads_the_same(text: str, language: str, seed: int) -> None:
    written = respelled(value(text), forms(language), random.Random(seed))
    assert same(value(written), value(text))


def test_money_is_respelled() -> None:
    written = {respelled(value("$25,000"), forms("en"), random.Random(n)) for n in range(20)}
    assert len(written) > 2
