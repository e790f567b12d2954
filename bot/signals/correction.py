"""CORRECTION: the user says that the answer is wrong, or puts something else in its place."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.scene import Judged, Scene
from bot.signals.worth import conflicting

CUES = ("wrong", "contrast", "changed", "source", "harm", "omitted")


def find(scene: Scene) -> Iterator[Signal]:
    """One signal for every dissatisfied turn.

    What tells the right thing has no fixed wording (a pasted link, what a colleague says, the
    damage), so that a turn found dissatisfied counts as a correction whatever its cues are.
    """
    for judged in scene.unhappy():
        turn = judged.place.turn
        yield Signal("CORRECTION", _evidence(judged), turn.turn_id, judged.probability)


def _evidence(judged: Judged) -> str:
    """The sentence with the user's own value, else with the most cues, else the longest."""
    turn = judged.place.turn
    other = conflicting(judged.place)
    if other:
        return turn.sentence(other[0].start)
    longest = max(turn.sentences, key=lambda span: span[1] - span[0], default=(0, 0))
    return judged.evidence(*CUES) or turn.text[slice(*longest)]
