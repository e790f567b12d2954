"""SESSION_ABANDONMENT: the user leaves without a result."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.finding import Signal
from bot.signals.place import tongues
from bot.signals.said import said
from bot.signals.scene import Scene


def find(scene: Scene) -> Iterator[Signal]:
    """A signal where a dissatisfied user says so, or where nobody answers a failure."""
    for judged in scene.unhappy():
        evidence = judged.evidence("leaving")
        if evidence and not judged.place.later:
            turn_id = judged.place.turn.turn_id
            yield Signal("SESSION_ABANDONMENT", evidence, turn_id, judged.probability)
    yield from _unanswered(scene)


def _unanswered(scene: Scene) -> Iterator[Signal]:
    last = scene.trajectory.turns[-1]
    if last.role != "assistant" or last.turn_id not in scene.segment.turn_ids:
        return
    message = said(last, tongues(scene.trajectory))
    failed = [hit for hit in message.hits if hit.cue == "failure"]
    if failed:
        yield Signal("SESSION_ABANDONMENT", message.sentence(failed[0].start), last.turn_id, 0.6)
