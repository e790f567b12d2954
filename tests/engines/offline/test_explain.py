"""What a finding says was expected: the sentence of the complaint that tells it."""

from __future__ import annotations

import pytest

from bot.engines.offline.explain import telling


@pytest.mark.parametrize(
    ("complaint", "expected"),
    [
        (("Nonsense!", "The sign says 16 EUR."), 1),
        (("You are wrong.", "A family needs one ticket for each child."), 1),
        (("First of all you are wrong.", "It's 16 EUR."), 1),
        (("Why not?", "I rented a bike from you last week!"), 1),
        (("Unsinn!", "Auf dem Schild steht 16 Euro."), 1),
        (("違います。", "看板には1600円と書いてあります。"), 1),
        (("不对。", "牌子上写着每个孩子都要买票。"), 1),
        (("It is 16 EUR.", "The whole afternoon was lost because of that answer."), 0),
        (("Wrong.",), 0),
    ],
)
def test_the_sentence_that_tells_is_expected(complaint: tuple[str, ...], expected: int) -> None:
    assert telling(complaint[0], complaint) == complaint[expected]


def test_of_sentences_alike_the_nearest_is_taken() -> None:
    complaint = ("Adults pay 16 EUR.", "Children pay 8 EUR.")
    assert telling(complaint[1], complaint) == complaint[1]


def test_nothing_said_is_nothing_expected() -> None:
    assert telling("", ()) == ""
