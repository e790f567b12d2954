"""How a talk sounds: like a slip, a missing rule, a wrong tool, an outdated text.

A ridge regression on the sentence vectors of four voices (complaint, disputed answer, what the
agent said when it was told, its thoughts), learned with the ranking. It sees no document, only
how people speak, and carries over domains and languages. Without an encoder there is none.
"""

from __future__ import annotations

from importlib.resources import files

import msgspec

from bot.context.vectors import Encoder
from bot.engines.offline.candidate import Shape
from bot.engines.offline.talk import Talk

STRENGTH = 4.0


class Tone(msgspec.Struct, frozen=True):
    """A linear map from a talk's vector to one number a shape: whole slopes times `unit`."""

    unit: float
    bias: dict[Shape, float]
    slopes: dict[Shape, list[int]]

    def sounds(self, vector: list[float]) -> dict[Shape, float]:
        """How much the talk sounds like each shape, around zero."""
        return {
            shape: STRENGTH
            * (
                self.bias[shape]
                + self.unit * sum(a * b for a, b in zip(slope, vector, strict=True))
            )
            for shape, slope in self.slopes.items()
        }


def load() -> Tone:
    """The packaged map."""
    data = files(__package__).joinpath("tone.json").read_bytes()
    return msgspec.json.decode(data, type=Tone)


def vector(encoder: Encoder, talk: Talk) -> list[float]:
    """The vectors of the four voices, one behind the other; zeros for one that is silent."""
    last = talk.disputed[-1]
    voices = [" ".join(v) for v in (talk.complaint, last.answer, talk.admission, last.thoughts)]
    rows = encoder.encode([text or "." for text in voices], "query").tolist()
    return [x if text else 0.0 for text, row in zip(voices, rows, strict=True) for x in row]


def features(sounds: dict[Shape, float], shape: Shape) -> dict[str, float]:
    """The strength of a shape's own sound, and how far it leads the others."""
    if not sounds:
        return {}
    others = max(power for name, power in sounds.items() if name != shape)
    return {"tone": sounds[shape], "tone_lead": sounds[shape] - others}
