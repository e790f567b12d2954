"""REPETITION: the user asks for the same thing again, since the answer did not bring it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.form import repeated
from bot.signals.scene import Scene

_ALIKE = 0.6


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every dissatisfied turn that says so, or that repeats an earlier one."""
    for judged in scene.unhappy():
        turn = judged.place.turn
        evidence = judged.evidence("again")
        if evidence is None and repeated(judged.place) >= _ALIKE:
            evidence = turn.text.strip()
        if evidence:
            yield Signal("REPETITION", evidence, turn.turn_id, judged.probability)
