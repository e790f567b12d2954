"""CORRECTION: the user says that the answer is wrong, or puts another value in its place."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Segment, Signal
from bot.records.trajectory import Trajectory
from bot.signals.lexicon import pattern, plain
from bot.signals.place import places


def find(trajectory: Trajectory, segment: Segment) -> Iterator[Signal]:
    """One signal for every user turn that corrects the answer before it."""
    for place in places(trajectory, segment):
        hit = pattern("correction", ()).search(plain(place.turn.content))
        if hit:
            quote = place.turn.content[hit.start() : hit.end()]
            yield Signal("CORRECTION", quote, place.turn.turn_id, 0.8)
