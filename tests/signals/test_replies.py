"""Short replies to an answer in ten languages: what must be heard, and what must stay quiet."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.records.trajectory import Trajectory, Turn
from bot.signals.table import signals
from bot.stages.detect import detect
from bot.stages.segment import segment


class Reply(msgspec.Struct, frozen=True):
    """A question, its answer, and what the user says then."""

    asked: str
    answered: str
    said: str
    dissatisfied: bool


FILES = sorted(Path(__file__).parent.joinpath("replies").glob("*.jsonl"))
REPLIES = {
    path.stem: [msgspec.json.decode(line, type=Reply) for line in path.read_bytes().splitlines()]
    for path in FILES
}


def is_dsat(*turns: str) -> bool:
    roles = ("user", "assistant")
    spoken = tuple(Turn(n + 1, roles[n % 2], text) for n, text in enumerate(turns))
    talk = Trajectory("s", spoken)
    parts = segment(talk)
    return detect(talk, parts, [s for part in parts for s in signals(talk, part)]).is_dsat


@pytest.mark.parametrize("language", REPLIES)
def test_replies_are_heard_as_a_reader_hears_them(language: str) -> None:
    misheard = [
        reply.said
        for reply in REPLIES[language]
        if is_dsat(reply.asked, reply.answered, reply.said) is not reply.dissatisfied
    ]
    assert misheard == []


def test_every_language_has_both_kinds() -> None:
    assert len(REPLIES) == 10
    for replies in REPLIES.values():
        assert 5 <= sum(reply.dissatisfied for reply in replies) <= len(replies) - 5


ASKED = ("What is the limit?", "The limit is 40 kg.")


def test_quoted_blame_is_somebody_elses() -> None:
    assert not is_dsat(*ASKED, "My brother wrote “that's nonsense” below it, funny.")
    assert is_dsat(*ASKED, "That's nonsense.")


def test_doubt_that_the_user_takes_back() -> None:
    doubt = (*ASKED, "That's wrong, I have 50 here.")
    taken_back = ("It is 40 kg in this hall.", "Oh, you're right, I looked at the other hall.")
    granted = ("I am sorry, I read the old list.", "Thanks.")
    assert not is_dsat(*doubt, *taken_back)
    assert is_dsat(*doubt, *granted)


def test_a_value_out_of_the_blue_corrects_and_one_asked_for_answers() -> None:
    assert is_dsat(*ASKED, "50 kg")
    assert not is_dsat("May I bring this?", "How heavy is it, 20 or 40 kg?", "50 kg")
