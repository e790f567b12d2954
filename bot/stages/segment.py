"""Cut a session into segments: consecutive turns that serve one user goal."""

from __future__ import annotations

from bot.records.finding import Segment
from bot.records.trajectory import Trajectory


def segment(trajectory: Trajectory) -> tuple[Segment, ...]:
    """The segments in order; every turn stands in exactly one."""
    return (Segment("segment-1", tuple(turn.turn_id for turn in trajectory.turns)),)
