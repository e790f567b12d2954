"""THUMBS_DOWN: the user judged the session explicitly, and badly."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.records.trajectory import Turn
from bot.signals.scene import Scene
from bot.signals.vote import negative

_QUOTED = 300


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every turn that was voted down; its evidence is the start of that turn.

    A single negative vote counts, even where the same turn was also praised.
    """
    seen: set[int] = set()
    for feedback in scene.trajectory.feedback:
        turn = _judged(scene, feedback.turn_id)
        if turn is None or turn.turn_id in seen or not negative(feedback, scene.trajectory):
            continue
        seen.add(turn.turn_id)
        if turn.turn_id in scene.segment.turn_ids:
            quote = turn.content.strip()[:_QUOTED]
            yield Signal("THUMBS_DOWN", quote, turn.turn_id, 1.0, explicit=True)


def _judged(scene: Scene, turn_id: int | None) -> Turn | None:
    """The turn voted on: the last that says anything where none, or an empty one, is named."""
    spoken = [turn for turn in scene.trajectory.turns if turn.content.strip()]
    named = next((turn for turn in spoken if turn.turn_id == turn_id), None)
    return named or (spoken[-1] if spoken else None)
