"""How a talk sounds: like a slip, a missing rule, a wrong tool, an outdated text.

A ridge regression on four voices (complaint, disputed answer, what the agent said when it was
told, its thoughts), learned with the ranking. It sees no document, only how people speak, and
carries over domains. A voice is its sentence vector, or without an encoder its hashed words
and concepts (Weinberger et al., Feature Hashing, 2009).
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from importlib.resources import files

import msgspec

from bot.context.search import meanings
from bot.context.vectors import Encoder
from bot.engines.offline.candidate import Shape
from bot.engines.offline.talk import Talk

BUCKETS = 2048


class Tone(msgspec.Struct, frozen=True):
    """A linear map from a talk's vector to one number a shape: whole slopes times `unit`."""

    unit: float
    bias: dict[Shape, float]
    slopes: dict[Shape, list[int]]

    def sounds(self, vector: list[float]) -> dict[Shape, float]:
        """How much the talk sounds like each shape, around zero."""
        heard = [(place, value) for place, value in enumerate(vector) if value]
        return {
            shape: self.bias[shape] + self.unit * sum(slope[place] * x for place, x in heard)
            for shape, slope in self.slopes.items()
        }


def load(variant: str) -> Tone:
    """The packaged map of a variant."""
    data = files(__package__).joinpath(f"tone.{variant}.json").read_bytes()
    return msgspec.json.decode(data, type=Tone)


def vector(encoder: Encoder | None, talk: Talk) -> list[float]:
    """The four voices, one behind the other; zeros for one that is silent."""
    last = talk.disputed[talk.main]
    voices = [" ".join(v) for v in (talk.complaint, last.answer, talk.admission, last.thoughts)]
    if encoder is None:
        return [x for text in voices for x in _hashed(text)]
    rows = encoder.encode([text or "." for text in voices], "query").tolist()
    return [x if text else 0.0 for text, row in zip(voices, rows, strict=True) for x in row]


def _hashed(text: str) -> list[float]:
    row = [0.0] * BUCKETS
    for term, count in Counter(meanings(text)).items():
        place = zlib.crc32(term.encode("utf-8", "replace"))
        row[place % BUCKETS] += (1 if place >> 20 & 1 else -1) * (1 + math.log(count))
    length = math.sqrt(sum(x * x for x in row)) or 1.0
    return [x / length for x in row]


def features(sounds: dict[Shape, float], shape: Shape) -> dict[str, float]:
    """The strength of a shape's own sound, and how far it leads the others."""
    if not sounds:
        return {}
    others = max(power for name, power in sounds.items() if name != shape)
    return {"tone": sounds[shape], "tone_lead": sounds[shape] - others}
