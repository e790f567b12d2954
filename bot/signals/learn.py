"""Learn the detector's weights from labelled suites.

Logistic regression on single turns (a turn is dissatisfied where a reader marked words in it), by
accelerated projected gradient descent, penalised by the squared distance from each feature's
prior. There is no randomness: the same suites give the same weights. A weight keeps the sign of
its prior, since a few hundred turns would else teach that "wrong" is a good sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec

from bot.bench.suite import Suite
from bot.records.trajectory import Trajectory
from bot.signals.features import FEATURES, features
from bot.signals.model import Model
from bot.signals.place import Place, places
from bot.stages.detect import THRESHOLD
from bot.stages.segment import segment

PENALTY = 2.0
STEPS = 600
# A turn of that probability stands at the threshold of detection: contents rule the data.
EVEN = 0.43
SHIFT = math.log(THRESHOLD / (1 - THRESHOLD)) - math.log(EVEN / (1 - EVEN))
# Feedback on a whole session says nothing of one turn.
_OTHERWISE_SEEN = ("THUMBS_DOWN", "TOOL_EXECUTION_ERROR", "SESSION_ABANDONMENT")


class Example(msgspec.Struct, frozen=True):
    """One user turn: its features that are not 0, by position, and what a reader found."""

    numbers: tuple[tuple[int, float], ...]
    dissatisfied: bool


def examples(suite: Suite) -> Iterator[Example]:
    """The user turns of a suite that follow an answer, also as they stood before the talk went on.

    A whole benchmark session ends on a verdict, a recorded one may end anywhere: without its
    beginnings the model would learn that whatever is said last is a complaint.
    """
    for trajectory in suite.trajectories:
        label = suite.labels[trajectory.session_id]
        marked = {s.turn_id for s in label.signals if s.signal_type not in _OTHERWISE_SEEN}
        for place in _places(trajectory):
            yield _example(place, marked)
        for end in range(2, len(trajectory.turns)):
            beginning = msgspec.structs.replace(trajectory, turns=trajectory.turns[:end])
            if any(turn.role == "user" for turn in trajectory.turns[end:]):
                yield from (_example(place, marked) for place in _places(beginning)[-1:])


def _places(trajectory: Trajectory) -> list[Place]:
    return [place for part in segment(trajectory) for place in places(trajectory, part)]


def _example(place: Place, marked: set[int]) -> Example:
    numbers = tuple((i, x) for i, x in enumerate(features(place)) if x)
    return Example(numbers, place.turn.turn_id in marked)


def learned(rows: Sequence[Example]) -> Model:
    """The model of least penalised loss over these turns, without a note."""
    names = tuple(FEATURES)
    size = len(names) + 1
    step = 1 / (PENALTY + sum((1 + sum(x * x for _, x in row.numbers)) / 4 for row in rows))
    weights, ahead, speed = [0.0] * size, [0.0] * size, 1.0
    for _ in range(STEPS):
        slope = _slope(rows, ahead)
        moved = [w - step * g for w, g in zip(ahead, slope, strict=True)]
        moved = [_kept(names[i], w) if i < size - 1 else w for i, w in enumerate(moved)]
        faster = (1 + math.sqrt(1 + 4 * speed * speed)) / 2
        push = (speed - 1) / faster
        ahead = [m + push * (m - w) for m, w in zip(moved, weights, strict=True)]
        weights, speed = moved, faster
    rounded = {name: round(w, 3) for name, w in zip(names, weights, strict=False)}
    return Model("", round(weights[-1] + SHIFT, 3), rounded)


def _slope(rows: Sequence[Example], weights: list[float]) -> list[float]:
    """The gradient of the loss; the bias, last, is not penalised."""
    priors = [feature.prior for feature in FEATURES.values()]
    slope = [*(PENALTY * (w - p) for w, p in zip(weights, priors, strict=False)), 0.0]
    for row in rows:
        odds = weights[-1] + sum(weights[i] * x for i, x in row.numbers)
        error = 1 / (1 + math.exp(-odds)) - row.dissatisfied
        for i, x in row.numbers:
            slope[i] += error * x
        slope[-1] += error
    return slope


def _kept(name: str, weight: float) -> float:
    """The weight, or 0 where it points against the feature's meaning."""
    return weight if weight * FEATURES[name].prior >= 0 else 0.0
