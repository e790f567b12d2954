"""A session split at its complaint."""

from __future__ import annotations

from bot.engines.offline.talk import Talk, talk
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Node, Trajectory, Turn


def split(said: list[str], signals: dict[int, float], nodes: tuple[Node, ...] = ()) -> Talk:
    turns = tuple(Turn(i, "user" if i % 2 else "assistant", text) for i, text in enumerate(said, 1))
    marks = tuple(Signal("CORRECTION", "x", turn, power) for turn, power in signals.items())
    trajectory = Trajectory("s", turns, nodes=nodes)
    return talk(Case(trajectory, (), Detection(is_dsat=True, confidence=1.0, signals=marks)))


LONG = ["Price?", "60 euros.", "And the date?", "Monday.", "It was 95, though.", "I am sorry."]


def test_the_complaint_and_what_came_before_and_after_it() -> None:
    found = split(LONG, {5: 1.0})

    assert found.complaint == ("It was 95, though.",)
    assert [r.question for r in found.disputed] == [("Price?",), ("And the date?",)]
    assert found.admission == ("I am sorry.",)


def test_a_weak_signal_before_a_strong_one_is_a_question() -> None:
    assert split(LONG, {3: 0.5, 5: 1.0}).complaint_turns == (5,)


def test_what_follows_a_complaint_belongs_to_it() -> None:
    found = split([*LONG, "Forget it."], {5: 1.0})

    assert found.complaint_turns == (5, 7)


def test_without_signals_the_last_turn_speaks() -> None:
    assert split(LONG, {}).complaint_turns == (5,)


def test_a_session_of_one_question_has_no_complaint() -> None:
    found = split(LONG[:2], {})

    assert found.complaint == ()
    assert [r.answer for r in found.disputed] == [("60 euros.",)]


def test_nodes_belong_to_the_round_that_they_served() -> None:
    nodes = tuple(Node(f"n{t}", t, "reasoning", reasoning="Hm.") for t in (1, 2, 4, 6))

    found = split(LONG, {5: 1.0}, nodes)

    assert [r.nodes for r in found.disputed] == [(0, 1), (2,)]
    assert found.after == (3,)
