"""A sentence ends where a reader ends it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.cut.sentences import sentences, split


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Wer seit dem 1. Januar 2026 dabei ist, zahlt. Andere nicht.", 2),
        ("Es gilt bis 30. September. Danach nicht.", 2),
        ("The desk closes at 5. Visitors leave.", 2),
        ("Im Saal 3. Marina wartet.", 2),  # begins like a month, and is none
        ("Ab 2026. Januar ist frei.", 1),
    ],
)
def test_an_ordinal_before_a_month_ends_nothing(text: str, parts: int) -> None:
    assert len(split(text)) == parts


@given(st.text("ab1. \nJanuar!?。Mai", max_size=60))
def test_nothing_is_lost_between_sentences(text: str) -> None:
    spans = list(sentences(text))
    kept = "".join(text[begin:end] for begin, end in spans)

    assert "".join(kept.split()) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
