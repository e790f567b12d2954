"""Short talks in ten languages, each with the verdict of a reader."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.records.finding import Detection
from bot.records.trajectory import Trajectory, Turn
from bot.signals.table import signals
from bot.stages.detect import detect
from bot.stages.segment import segment


class Dialogue(msgspec.Struct, frozen=True):
    """`turns` begin with the user and alternate."""

    name: str
    dissatisfied: bool
    turns: tuple[str, ...]

    @property
    def trajectory(self) -> Trajectory:
        roles = ("user", "assistant")
        spoken = (Turn(n + 1, roles[n % 2], text) for n, text in enumerate(self.turns))
        return Trajectory(self.name, tuple(spoken))


DIALOGUES = [
    msgspec.json.decode(line, type=Dialogue)
    for path in sorted(Path(__file__).parent.joinpath("dialogues").glob("*.jsonl"))
    for line in path.read_bytes().splitlines()
]


def judge(trajectory: Trajectory) -> Detection:
    segments = segment(trajectory)
    found = [signal for part in segments for signal in signals(trajectory, part)]
    return detect(trajectory, segments, found)


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.name)
def test_verdict_of_a_reader(dialogue: Dialogue) -> None:
    detection = judge(dialogue.trajectory)
    assert detection.is_dsat is dialogue.dissatisfied, detection
    if dialogue.dissatisfied:
        assert detection.trigger_turn_id is not None
        assert all(
            s.evidence in dialogue.turns[s.turn_id - 1] and s.evidence for s in detection.signals
        )


def test_there_are_forty() -> None:
    assert len(DIALOGUES) == 40
    assert 15 <= sum(d.dissatisfied for d in DIALOGUES) <= 25


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("That's wrong.", "CORRECTION"),
        ("no it's 18:00", "CORRECTION"),
        ("That is not what I asked, I meant the indoor pool.", "CONVERSATIONAL_REPAIR"),
        ("Are you sure? The sign at the door says 18:00, I don't believe it.", "CORRECTION"),
        ("Useless. You never told me that it closes earlier in summer.", "NEGATIVE_SENTIMENT"),
        ("You are wrong again, forget it, I'll call them.", "SESSION_ABANDONMENT"),
        ("I already told you, this is the same wrong answer again!", "REPETITION"),
    ],
)
def test_type_of_the_signal(text: str, expected: str) -> None:
    talk = Dialogue("t", True, ("When does the pool close?", "The pool closes at 20:00.", text))
    detection = judge(talk.trajectory)
    assert detection.is_dsat, detection
    assert expected in {signal.signal_type for signal in detection.signals}


@pytest.mark.parametrize(
    "text",
    ["ok", "And on Sunday?", "Thanks, and the sauna?", "Good to know. Then I'll come at 18:00."],
)
def test_going_on_is_no_complaint(text: str) -> None:
    talk = Dialogue("t", False, ("When does the pool close?", "The pool closes at 20:00.", text))
    assert not judge(talk.trajectory).is_dsat
