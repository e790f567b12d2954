"""Cut a session into segments: consecutive turns that serve one user goal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bot.records.finding import Segment
from bot.records.trajectory import Trajectory
from bot.signals.place import tongues
from bot.signals.said import Said, said

# A goal takes at least a request and an answer, and shorter talks are one matter.
_SHORT = 6
_SHARED = 0.15


def segment(trajectory: Trajectory) -> tuple[Segment, ...]:
    """The segments in order; every turn stands in exactly one.

    A user turn opens a new one where it says that it turns to something else and shares hardly
    a word with what was said since the last cut.
    """
    cuts = [0, *_cuts(trajectory), len(trajectory.turns)]
    ids = tuple(turn.turn_id for turn in trajectory.turns)
    parts = (ids[start:end] for start, end in pairwise(cuts))
    return tuple(Segment(f"segment-{number}", part) for number, part in enumerate(parts, 1))


def _cuts(trajectory: Trajectory) -> Iterator[int]:
    turns = trajectory.turns
    if len(turns) <= _SHORT:
        return
    spoken = tongues(trajectory)
    start = 0
    heard: set[str] = set()
    for position, turn in enumerate(turns):
        message = said(turn, spoken)
        if turn.role == "user" and position - start > 1 and _opens(message, heard):
            yield position
            start = position
            heard.clear()
        heard |= message.stems


def _opens(message: Said, heard: set[str]) -> bool:
    """Whether the message turns to something else, in words that were not said yet."""
    announced = any(hit.cue == "topic" and _early(message, hit.start) for hit in message.hits)
    return announced and len(message.stems & heard) <= _SHARED * len(message.stems)


def _early(message: Said, offset: int) -> bool:
    """Whether the offset lies in the first two sentences."""
    return not message.sentences[1:] or offset < message.sentences[1][1]
