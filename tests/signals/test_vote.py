"""Explicit feedback: which votes are a person's, and which are bad on their scale."""

from __future__ import annotations

import pytest

from bot.records.finding import Segment
from bot.records.trajectory import Feedback, Trajectory, Turn
from bot.signals.scene import scene
from bot.signals.thumbs_down import find
from bot.signals.vote import guessed_scale, negative, stated_scale

TURNS = (Turn(1, "user", "When?"), Turn(2, "assistant", "At eight."), Turn(3, "user", "Thanks!"))


def session(*feedback: Feedback, scale: object = None) -> Trajectory:
    metadata = {} if scale is None else {"score_scale": scale}
    return Trajectory("s", TURNS, feedback=feedback, metadata=metadata)


@pytest.mark.parametrize("value", [False, 0, -1, "thumbs-down", "👎", "Thumbs_Down"])
def test_thumbs_down(value: bool | int | str) -> None:
    vote = Feedback("thumbs", value)
    assert negative(vote, session(vote))


@pytest.mark.parametrize("value", [True, 1, "thumbs-up", "👍", None])
def test_thumbs_up_or_nothing(value: bool | int | str | None) -> None:
    vote = Feedback("thumbs", value)
    assert not negative(vote, session(vote))


@pytest.mark.parametrize(
    ("scores", "bad"),
    [
        ((0,), True),
        ((0.2,), True),
        ((0.9,), False),
        ((2,), True),
        ((3,), False),
        ((5,), False),
        ((1, 4), True),
        ((20,), True),
        ((85,), False),
        ((-0.5,), True),
        ((0.5, -0.1), False),
        ((1,), False),
    ],
)
def test_score_on_the_scale_that_its_values_suggest(scores: tuple[float, ...], bad: bool) -> None:
    votes = tuple(Feedback("score", score) for score in scores)
    assert negative(votes[0], session(*votes)) is bad


def test_scores_of_another_name_are_on_another_scale() -> None:
    csat, help_given = Feedback("score", 4, name="csat"), Feedback("score", 0.9, name="help")
    assert not negative(help_given, session(csat, help_given))
    assert negative(Feedback("score", 0.9), session(Feedback("score", 4), Feedback("score", 0.9)))


@pytest.mark.parametrize(
    ("scale", "value", "bad"),
    [([1, 5], 1, True), ([0, 1], 1, False), ({"min": 0, "max": 10}, 3, True), ([1, 7], 5, False)],
)
def test_score_on_the_scale_that_is_stated(scale: object, value: float, bad: bool) -> None:
    vote = Feedback("score", value)
    assert negative(vote, session(vote, scale=scale)) is bad


@pytest.mark.parametrize("scale", [[5, 1], ["a", "b"], "1-5", [1], {"min": 3}, None])
def test_senseless_scale_is_none(scale: object) -> None:
    assert stated_scale({"score_scale": scale}) is None


def test_no_scale_holds_a_thousand() -> None:
    assert guessed_scale([1000.0]) is None


@pytest.mark.parametrize("label", ["bad", "Incorrect", "not helpful", "NO"])
def test_bad_label(label: str) -> None:
    assert negative(Feedback("label", label), session())


@pytest.mark.parametrize("label", ["good", "helpful", "billing"])
def test_other_label(label: str) -> None:
    assert not negative(Feedback("label", label), session())


@pytest.mark.parametrize(
    ("comment", "bad"),
    [
        ("this is wrong", True),
        ("did not even look at the page", True),
        ("das war falsch", True),
        ("thank you, very helpful", False),
        ("", False),
    ],
)
def test_comment(comment: str, bad: bool) -> None:
    assert negative(Feedback("comment", comment), session()) is bad
    assert negative(Feedback("comment", None, comment=comment), session()) is bad


@pytest.mark.parametrize("source", ["code", "llm", "LLM", "llm_judge", "EVAL"])
def test_machines_have_no_vote(source: str) -> None:
    assert not negative(Feedback("thumbs", False, source=source), session())


def found(*feedback: Feedback) -> list[tuple[int, str]]:
    seen = scene(session(*feedback), Segment("segment-1", (1, 2, 3)))
    signals = list(find(seen))
    assert all(signal.explicit for signal in signals)
    return [(signal.turn_id, signal.evidence) for signal in signals]


def test_one_bad_vote_wins_over_praise() -> None:
    up, down = Feedback("thumbs", True, turn_id=2), Feedback("thumbs", False, turn_id=2)
    assert found(up, down) == found(down, up) == [(2, "At eight.")]


def test_two_bad_votes_on_a_turn_are_one_signal() -> None:
    assert len(found(Feedback("thumbs", False, turn_id=2), Feedback("score", 1, turn_id=2))) == 1


def test_vote_on_nothing_or_on_an_unknown_turn_is_on_the_last() -> None:
    assert found(Feedback("thumbs", False)) == [(3, "Thanks!")]
    assert found(Feedback("thumbs", False, turn_id=77)) == [(3, "Thanks!")]


def test_vote_on_another_segment_is_not_this_ones() -> None:
    vote = session(Feedback("thumbs", False, turn_id=3))
    assert not list(find(scene(vote, Segment("segment-1", (1, 2)))))
