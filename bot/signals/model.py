"""The probability that a user turn shows the answer before it to be wrong or unhelpful.

A logistic model over `features`, trained by `bot.signals.train`; the weights are data.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import msgspec

from bot.signals.features import FEATURES, features
from bot.signals.place import Place

WEIGHTS = Path(__file__).with_name("weights.json")


class Model(msgspec.Struct, frozen=True):
    """`weights` are log odds by the names of `FEATURES`.

    `note` is the model card, `made_from` names the suites that the weights were learned from.
    """

    note: str
    bias: float
    weights: dict[str, float]
    made_from: tuple[str, ...] = ()

    def probability(self, numbers: tuple[float, ...]) -> float:
        """Between 0 and 1, for numbers in the order of `FEATURES`."""
        odds = self.bias + sum(
            self.weights.get(name, 0.0) * number
            for name, number in zip(FEATURES, numbers, strict=True)
        )
        return 1 / (1 + math.exp(-odds))


@cache
def shipped() -> Model:
    """The model that the package ships."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=Model)


def dissatisfied(place: Place, model: Model) -> float:
    """The probability for a turn in its place."""
    return round(model.probability(features(place)), 3)
