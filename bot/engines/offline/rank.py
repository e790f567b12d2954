"""Ranking of hypotheses with learned weights and trees, and how sure the first one is.

Weights come from `train.py` (latent max-margin, Yu and Joachims 2009; Felzenszwalb 2010), the
trees that correct them from `grow.py`; the margin is a logistic fit of held-out outcomes (Platt
1999).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal

import msgspec

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.trees import Trees, listed

Variant = Literal["lexical", "semantic"]


class Calibration(msgspec.Struct, frozen=True):
    """Logistic coefficients over the clues of `clues`."""

    bias: float
    weights: dict[str, float]


class Weights(msgspec.Struct, frozen=True):
    """Weights by shape (`*` for all shapes) and feature, with what they were made from."""

    variant: Variant
    made_from: tuple[str, ...]
    sessions: int
    shapes: dict[str, dict[str, float]]
    calibration: Calibration


class Ranked(msgspec.Struct, frozen=True):
    """A hypothesis with its score and its share among all (shares sum to 1)."""

    candidate: Candidate
    score: float
    share: float


def load(variant: Variant) -> Weights:
    """The packaged weights of a variant."""
    data = files(__package__).joinpath(f"weights.{variant}.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


def _joined(weights: Weights, shape: str) -> dict[str, float]:
    """The weights of a shape: its own and those that all shapes share."""
    shared, own = weights.shapes.get("*", {}), weights.shapes.get(shape, {})
    return {name: shared.get(name, 0.0) + own.get(name, 0.0) for name in (*shared, *own)}


def rank(
    weights: Weights,
    trees: Trees,
    candidates: Sequence[Candidate],
    features: Sequence[Mapping[str, float]],
) -> tuple[Ranked, ...]:
    """The hypotheses that lead by their weights, in the order that the trees make of them, best
    first; a draw keeps the order of enumeration."""
    slopes = {shape: _joined(weights, shape) for shape in {c.shape for c in candidates}}
    linear = [
        sum(value * slopes[c.shape].get(name, 0.0) for name, value in found.items())
        for c, found in zip(candidates, features, strict=True)
    ]
    kept = listed([c.shape for c in candidates], linear)
    scores = [linear[n] + trees.score(candidates[n].shape, features[n]) for n in kept]
    return ranking([candidates[n] for n in kept], scores)


def ranking(candidates: Sequence[Candidate], scores: Sequence[float]) -> tuple[Ranked, ...]:
    """Hypotheses in the order of their scores, with shares by softmax."""
    if not scores:
        return ()
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    total = sum(powers)
    rows = [Ranked(c, s, p / total) for c, s, p in zip(candidates, scores, powers, strict=True)]
    return tuple(sorted(rows, key=lambda r: -r.score))


def fix_of(candidate: Candidate) -> tuple[str, str | None]:
    """What a hypothesis would have done: two with the same fix are no rivals."""
    kind = {"stale": "UPDATE", "tool": "UPDATE", "delete": "DELETE", "gap": "CREATE"}
    named = {"retrieval": "SYNONYMS", "prompt": "PROMPT"}
    return kind.get(candidate.shape, named.get(candidate.shape, "NO_ACTION")), candidate.path


def clues(ranked: Sequence[Ranked]) -> dict[str, float]:
    """What the shape of a ranking says about its first place."""
    first = ranked[0]
    fixes = {fix_of(first.candidate)}
    rivals = [r for r in ranked if fix_of(r.candidate) not in fixes]
    second = rivals[0].score if rivals else first.score - 10.0
    third = next(
        (r.score for r in rivals if fix_of(r.candidate) != fix_of(rivals[0].candidate)),
        second - 5.0,
    )
    same = sum(r.share for r in ranked if fix_of(r.candidate) in fixes)
    return {
        "lead": first.score - second,
        "lead_third": first.score - third,
        "share": same,
        f"shape_{first.candidate.shape}": 1.0,
    }


def margin(weights: Weights, ranked: Sequence[Ranked]) -> float:
    """The calibrated probability that the first hypothesis is right."""
    found = clues(ranked)
    line = weights.calibration.bias + sum(
        weights.calibration.weights.get(name, 0.0) * value for name, value in found.items()
    )
    return 1.0 / (1.0 + math.exp(-line))
