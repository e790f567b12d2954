"""Train `weights.json`: `python -m bot.signals.train SUITE...` over labelled benchmark folders.

Logistic regression with L2 on single turns (a turn is dissatisfied where a reader marked words in
it), by accelerated projected gradient descent. There is no randomness: the same suites give the
same weights. Cues may only count in the direction of their meaning, since a few hundred turns
would else teach that "wrong" is a good sign.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from bot.bench.suite import Suite, load
from bot.signals.features import FEATURES, features
from bot.signals.model import WEIGHTS, Model
from bot.signals.place import places
from bot.stages.segment import segment

PENALTY = 1.0
STEPS = 600
# Shifts the log odds so that a turn as likely dissatisfied as not stands at the threshold, 0.7.
AT_THRESHOLD = math.log(0.7 / 0.3)
NOTE = (
    "Log odds that a user turn shows the answer before it to be wrong or unhelpful. Logistic "
    "regression with L2, trained by `python -m bot.signals.train` on the turns of the benchmark "
    "suites; no session's words are in it, only the features that bot/signals/features.py names. "
    "It was made from office and support conversations of few turns, and the share of dissatisfied "
    "sessions there is far above what production sees."
)
# Feedback on a whole session says nothing of one turn.
_OTHERWISE_SEEN = ("THUMBS_DOWN", "TOOL_EXECUTION_ERROR", "SESSION_ABANDONMENT")


class Example(msgspec.Struct, frozen=True):
    """One user turn: its features that are not 0, by position, and what a reader found."""

    numbers: tuple[tuple[int, float], ...]
    dissatisfied: bool


def examples(suite: Suite) -> Iterator[Example]:
    """The user turns of a suite that follow an answer."""
    for trajectory in suite.trajectories:
        label = suite.labels[trajectory.session_id]
        marked = {s.turn_id for s in label.signals if s.signal_type not in _OTHERWISE_SEEN}
        for part in segment(trajectory):
            for place in places(trajectory, part):
                numbers = tuple((i, x) for i, x in enumerate(features(place)) if x)
                yield Example(numbers, place.turn.turn_id in marked)


def train(rows: Sequence[Example]) -> Model:
    """The model of least penalised loss over these turns."""
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
    return Model(NOTE, round(weights[-1] + AT_THRESHOLD, 3), rounded)


def _slope(rows: Sequence[Example], weights: list[float]) -> list[float]:
    """The gradient of the loss; the bias, last, is not penalised."""
    slope = [PENALTY * w for w in weights[:-1]] + [0.0]
    for row in rows:
        odds = weights[-1] + sum(weights[i] * x for i, x in row.numbers)
        error = 1 / (1 + math.exp(-odds)) - row.dissatisfied
        for i, x in row.numbers:
            slope[i] += error * x
        slope[-1] += error
    return slope


def _kept(name: str, weight: float) -> float:
    """The weight, or 0 where it points against the feature's meaning."""
    sign = FEATURES[name].sign
    return weight if weight * sign >= 0 else 0.0


def main(folders: Sequence[str]) -> None:
    """Read the suites, train, and write the weights."""
    rows = [row for folder in folders for row in examples(load(Path(folder)))]
    model = train(rows)
    WEIGHTS.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=2) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
