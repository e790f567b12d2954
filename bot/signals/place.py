"""A user turn in its place: what was answered before it, and what came after."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from bot.provenance.language import language_of
from bot.records.finding import Segment
from bot.records.trajectory import Trajectory, Turn
from bot.signals.lexicon import languages
from bot.signals.said import Said, said

# How many of the user's other turns are looked at: what was said long ago tells of other matters.
NEAR = 24


class Place(msgspec.Struct, frozen=True):
    """A user turn that follows an answer.

    `answer` is the nearest assistant turn before it, `reply` the first after it (None where
    nobody answered), `earlier` the nearest user turns before it and `later` the last ones after
    it. `gap` is the time since the answer in seconds (0 where no time was recorded).
    """

    turn: Said
    answer: Said
    reply: Said | None
    earlier: tuple[Said, ...]
    later: tuple[Said, ...]
    gap: float = 0.0


def places(trajectory: Trajectory, segment: Segment) -> Iterator[Place]:
    """The user turns of a segment that follow an answer, in order."""
    wanted = set(segment.turn_ids)
    turns = trajectory.turns
    spoken = tongues(trajectory)
    messages = [said(turn, spoken) for turn in turns]
    users = [position for position, turn in enumerate(turns) if turn.role == "user"]
    answers = [position for position, turn in enumerate(turns) if turn.role == "assistant"]
    for number, position in enumerate(users):
        following = bisect_left(answers, position)
        if not following or turns[position].turn_id not in wanted:
            continue
        answer = answers[following - 1]
        yield Place(
            messages[position],
            messages[answer],
            next((messages[at] for at in answers[following : following + 1]), None),
            tuple(messages[at] for at in users[max(number - NEAR, 0) : number]),
            tuple(messages[at] for at in users[max(number + 1, len(users) - NEAR) :]),
            _gap(turns[answer], turns[position]),
        )


def tongues(trajectory: Trajectory) -> tuple[str, ...]:
    """The languages that the turns are in, as far as there is a lexicon for them.

    Empty, which stands for all of them, where no turn tells.
    """
    texts = [turn.content for turn in trajectory.turns if turn.role != "system"]
    guessed = {language_of(text) for text in [*texts, "\n".join(texts)]}
    return tuple(language for language in languages() if language in guessed)


def _gap(before: Turn, after: Turn) -> float:
    """Seconds between two turns, 0 where a time stamp is missing or no RFC 3339."""
    start, end = _time(before.timestamp), _time(after.timestamp)
    return max((end - start).total_seconds(), 0.0) if start and end else 0.0


def _time(stamp: str | None) -> datetime | None:
    try:
        time = msgspec.convert(stamp, datetime | None)
    except msgspec.ValidationError:
        return None
    return time.replace(tzinfo=UTC) if time and time.tzinfo is None else time
