"""THUMBS_DOWN: the user judged the session explicitly, and badly."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Segment, Signal
from bot.records.trajectory import Trajectory


def find(trajectory: Trajectory, segment: Segment) -> Iterator[Signal]:
    """One signal for every negative judgement; its evidence is the turn judged."""
    texts = {turn.turn_id: turn.content for turn in trajectory.turns}
    for feedback in trajectory.feedback:
        if feedback.type == "thumbs" and feedback.value is False:
            turn_id = feedback.turn_id or trajectory.turns[-1].turn_id
            if turn_id in segment.turn_ids:
                yield Signal("THUMBS_DOWN", texts[turn_id], turn_id, 1.0, explicit=True)
