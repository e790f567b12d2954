"""CONVERSATIONAL_REPAIR: the user puts the request in other words, or asks to look again."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.scene import Scene


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every dissatisfied turn that says what was meant."""
    for judged in scene.unhappy():
        evidence = judged.evidence("repair")
        if evidence:
            turn_id = judged.place.turn.turn_id
            yield Signal("CONVERSATIONAL_REPAIR", evidence, turn_id, judged.probability)
