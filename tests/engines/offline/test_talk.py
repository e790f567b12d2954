"""What the engine looks at of a talk, however long that is."""

from __future__ import annotations

import pytest

from bot.engines.offline.talk import BEFORE, BEYOND, CHARACTERS, COMPLAINTS, SENTENCES, talk
from bot.records.finding import Case, Detection, Signal
from bot.records.trajectory import Node, Trajectory, Turn


def case(rounds: int, *unhappy: int, said: str = "Turn {}.") -> Case:
    """So many rounds of question and answer; the questions of the rounds named complain."""
    turns = [
        Turn(number, "user" if number % 2 else "assistant", said.format(number))
        for number in range(1, 2 * rounds + 1)
    ]
    nodes = tuple(Node(f"n{turn.turn_id}", turn.turn_id, "reasoning") for turn in turns)
    signals = tuple(Signal("CORRECTION", "Turn", 2 * n + 1, 0.9) for n in unhappy)
    return Case(
        Trajectory("s", tuple(turns), nodes=nodes), (), Detection(True, 0.9, 1, "", signals)
    )


@pytest.mark.parametrize("at", [1, 5, 100, 399])
def test_of_a_long_talk_the_rounds_next_to_the_complaint_are_disputed(at: int) -> None:
    found = talk(case(400, at))
    assert len(found.disputed) <= BEFORE + BEYOND
    assert found.disputed[found.main].turn_id == 2 * at
    assert found.complaint[0] == f"Turn {2 * at + 1}."
    assert len(found.complaint) <= COMPLAINTS
    assert len(found.admission) <= COMPLAINTS


def test_an_endless_run_of_complaints_is_looked_at_near_its_end() -> None:
    found = talk(case(400, *range(1, 400)))
    assert len(found.complaint) == COMPLAINTS
    assert found.complaint[-1] == "Turn 799."


@pytest.mark.parametrize("rounds", [2, 5, 8])
def test_a_short_talk_is_looked_at_as_a_whole(rounds: int) -> None:
    found = talk(case(rounds, rounds - 1))
    assert [r.turn_id for r in found.disputed] == [2 * n for n in range(1, rounds)]


def test_of_a_long_text_the_beginning_is_read() -> None:
    found = talk(case(2, 1, said="Turn. " * 2_000))
    assert len(found.complaint) == SENTENCES
    assert len(" ".join(talk(case(2, 1, said="x" * 50_000)).complaint)) == CHARACTERS
