"""The model: what training keeps to, and that the shipped weights are of these features."""

from __future__ import annotations

import math

import msgspec
import pytest

from bot.signals.features import FEATURES
from bot.signals.learn import Example, learned
from bot.signals.model import WEIGHTS, Model, shipped

WRONG = tuple(FEATURES).index("cue wrong")
THANKS = tuple(FEATURES).index("cue thanks")


def rows(feature: int, *, dissatisfied: bool, count: int = 40) -> list[Example]:
    return [Example(((feature, 1.0),), dissatisfied)] * count


def test_shipped_weights_name_the_features_and_say_what_they_are() -> None:
    model = shipped()
    assert list(model.weights) == list(FEATURES)
    assert "trained by" in model.note
    assert len(model.made_from) == len(set(model.made_from)) > 3
    assert b"\n" in WEIGHTS.read_bytes()


def test_no_shipped_weight_counts_against_its_meaning() -> None:
    for name, weight in shipped().weights.items():
        assert weight * FEATURES[name].prior >= 0, name


def test_what_goes_with_dissatisfaction_raises_it() -> None:
    model = learned([*rows(WRONG, dissatisfied=True), *rows(THANKS, dissatisfied=False)])
    assert model.weights["cue wrong"] > 1
    assert model.weights["cue thanks"] < -1


def test_a_cue_never_learns_the_opposite_of_its_meaning() -> None:
    model = learned([*rows(WRONG, dissatisfied=False), *rows(THANKS, dissatisfied=True)])
    assert model.weights["cue wrong"] == 0
    assert model.weights["cue thanks"] == 0


def test_same_turns_give_the_same_weights() -> None:
    turns = [*rows(WRONG, dissatisfied=True), *rows(THANKS, dissatisfied=False)]
    assert learned(turns) == learned(turns)


def test_without_evidence_a_weight_stays_at_its_prior() -> None:
    model = learned(rows(WRONG, dissatisfied=True))
    assert model.weights["flat no"] == pytest.approx(FEATURES["flat no"].prior, abs=0.01)


def test_probability_is_the_logistic_of_the_sum() -> None:
    names = tuple(FEATURES)
    model = Model("", -1.0, {names[0]: 2.0})
    nothing = (0.0,) * len(names)
    assert model.probability(nothing) == pytest.approx(1 / (1 + math.e))
    assert model.probability((0.5, *nothing[1:])) == pytest.approx(0.5)


def test_weights_are_read_strictly() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"note": "", "bias": "low", "weights": {}}', type=Model)
