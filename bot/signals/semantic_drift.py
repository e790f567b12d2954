"""SEMANTIC_DRIFT: the answer shares no word with what was asked, and the user minds."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.scene import Scene

_FEW = 0.1


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every dissatisfied turn after an answer beside the question."""
    for judged in scene.unhappy():
        place = judged.place
        asked = place.earlier[-1].stems if place.earlier else frozenset()
        if len(asked) > 4 and len(asked & place.answer.stems) < _FEW * len(asked):
            evidence = judged.evidence("repair", "doubt", "wrong")
            if evidence:
                turn_id = place.turn.turn_id
                yield Signal("SEMANTIC_DRIFT", evidence, turn_id, judged.probability)
