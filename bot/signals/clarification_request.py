"""CLARIFICATION_REQUEST: the user doubts the answer and asks whether it is so."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.scene import Scene


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every dissatisfied turn that asks in doubt."""
    for judged in scene.unhappy():
        evidence = judged.evidence("doubt")
        if evidence and evidence[-1] in "?？":
            turn_id = judged.place.turn.turn_id
            yield Signal("CLARIFICATION_REQUEST", evidence, turn_id, judged.probability)
