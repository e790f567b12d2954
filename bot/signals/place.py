"""A user turn in its place: what was answered before it, and what came after."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bot.records.finding import Segment
from bot.records.trajectory import Trajectory, Turn


class Place(msgspec.Struct, frozen=True):
    """A user turn that follows an answer.

    `answer` is the nearest assistant turn before it, `reply` the nearest after it (None where
    nobody answered), `later` the user turns after it.
    """

    turn: Turn
    answer: Turn
    reply: Turn | None
    later: tuple[Turn, ...]


def places(trajectory: Trajectory, segment: Segment) -> Iterator[Place]:
    """The user turns of a segment that follow an answer, in order."""
    wanted = set(segment.turn_ids)
    turns = trajectory.turns
    answer: Turn | None = None
    for position, turn in enumerate(turns):
        if turn.role == "assistant":
            answer = turn
        elif turn.role == "user" and answer is not None and turn.turn_id in wanted:
            after = turns[position + 1 :]
            reply = next((t for t in after if t.role == "assistant"), None)
            yield Place(turn, answer, reply, tuple(t for t in after if t.role == "user"))
