"""What every signal looks at: the session, the segment, and its user turns as judged once."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bot.records.finding import Segment
from bot.records.trajectory import Trajectory
from bot.signals.model import Model, dissatisfied, shipped
from bot.signals.place import Place, places

# Below it a turn is more likely content than not, and its cues are of something else.
LIKELY = 0.5


class Judged(msgspec.Struct, frozen=True):
    """A user turn and the probability that it shows dissatisfaction with the answer."""

    place: Place
    probability: float

    def evidence(self, *cues: str) -> str | None:
        """The sentence, verbatim, in which most of these cues stand; None where none does."""
        turn = self.place.turn
        sentences = [turn.sentence(hit.start) for hit in turn.hits if hit.cue in cues]
        return max(sentences, key=sentences.count) if sentences else None


class Scene(msgspec.Struct, frozen=True):
    """A segment of a session, read: what the signals are found in."""

    trajectory: Trajectory
    segment: Segment
    judged: tuple[Judged, ...]

    def unhappy(self) -> Iterator[Judged]:
        """The user turns that are more likely dissatisfied than not, in order."""
        return (judged for judged in self.judged if judged.probability >= LIKELY)


def scene(trajectory: Trajectory, segment: Segment, model: Model | None = None) -> Scene:
    """The segment with its user turns judged, by the shipped model where none is given."""
    judge = model or shipped()
    found = (Judged(place, dissatisfied(place, judge)) for place in places(trajectory, segment))
    return Scene(trajectory, segment, tuple(found))
