"""NEGATIVE_SENTIMENT: the user reproaches the agent or tells of annoyance with it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.scene import Scene


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every dissatisfied turn that complains."""
    for judged in scene.unhappy():
        evidence = judged.evidence("complaint", "omitted", "harm")
        if evidence:
            turn_id = judged.place.turn.turn_id
            yield Signal("NEGATIVE_SENTIMENT", evidence, turn_id, judged.probability)
