"""Segments: consecutive turns, each in exactly one, cut where the user opens another matter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.records.trajectory import Role, Trajectory, Turn
from bot.stages.segment import segment


def talk(*texts: str) -> Trajectory:
    roles: tuple[Role, Role] = ("user", "assistant")
    return Trajectory("s", tuple(Turn(n + 1, roles[n % 2], t) for n, t in enumerate(texts)))


LAMP = (
    "Can I bring the brass lamp back to the shop without a receipt?",
    "Yes, the lamp can be brought back within 30 days when the shop finds your order.",
    "And does the shop want the box of the lamp as well?",
    "The shop takes the lamp back without its box.",
)
BUS = (
    "Another question: which bus runs from the harbour to the museum on Sunday?",
    "Line 12 runs every half hour.",
    "Thanks!",
    "You are welcome.",
)


def test_short_session_is_one_segment() -> None:
    assert [part.turn_ids for part in segment(talk(*LAMP[:2], *BUS))] == [(1, 2, 3, 4, 5, 6)]


def test_another_matter_opens_a_segment() -> None:
    assert [p.turn_ids for p in segment(talk(*LAMP, *BUS))] == [(1, 2, 3, 4), (5, 6, 7, 8)]


def test_another_question_about_the_same_thing_opens_none() -> None:
    same = "Another question about the brass lamp: does the shop want the receipt?"
    assert len(segment(talk(*LAMP, same, *BUS[1:]))) == 1


def test_new_words_alone_open_none() -> None:
    silent = "Which bus runs from the harbour to the museum on Sunday?"
    assert len(segment(talk(*LAMP, silent, *BUS[1:]))) == 1


def test_german_cut() -> None:
    german = (
        "Kann ich die Lampe ohne Beleg in den Laden zurückbringen?",
        "Ja, die Lampe nimmt der Laden innerhalb von 30 Tagen zurück.",
        "Und braucht der Laden auch die Schachtel der Lampe?",
        "Nein, die Schachtel braucht er nicht.",
        "Andere Frage: Welcher Bus fährt am Sonntag vom Hafen zum Museum?",
        "Linie 12.",
        "Danke",
    )
    assert [p.turn_ids for p in segment(talk(*german))] == [(1, 2, 3, 4), (5, 6, 7)]


@given(st.lists(st.sampled_from([*LAMP, *BUS, "", "🙂", "另外一个问题"]), min_size=1, max_size=24))
def test_segments_are_a_partition(texts: list[str]) -> None:
    trajectory = talk(*texts)
    parts = segment(trajectory)
    assert [t for part in parts for t in part.turn_ids] == [t.turn_id for t in trajectory.turns]
    assert all(part.turn_ids for part in parts)
    assert len({part.segment_id for part in parts}) == len(parts)
