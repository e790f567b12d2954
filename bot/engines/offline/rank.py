"""Ranking of hypotheses with learned weights and trees, and how sure the first one is.

Weights come from `train.py` (latent max-margin, Yu and Joachims 2009; Felzenszwalb 2010), the
trees that correct them from `grow.py`; both margins are logistic fits of held-out
outcomes (Platt 1999).
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
    """Weights by shape (`*` for all shapes) and feature, with what they were made from.

    `calibration` is that of the fix, `text_calibration` that of fix and texts together.
    """

    variant: Variant
    made_from: tuple[str, ...]
    sessions: int
    shapes: dict[str, dict[str, float]]
    calibration: Calibration
    text_calibration: Calibration


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


def linear(
    weights: Weights, candidates: Sequence[Candidate], features: Sequence[Mapping[str, float]]
) -> list[float]:
    """What the weights alone make of every hypothesis."""
    slopes = {shape: _joined(weights, shape) for shape in {c.shape for c in candidates}}
    return [
        sum(value * slopes[c.shape].get(name, 0.0) for name, value in found.items())
        for c, found in zip(candidates, features, strict=True)
    ]


def rank(
    trees: Trees,
    candidates: Sequence[Candidate],
    features: Sequence[Mapping[str, float]],
    line: Sequence[float],
) -> tuple[Ranked, ...]:
    """The hypotheses that lead by their linear score, in the order that the trees make of them,
    best first; a draw keeps the order of enumeration."""
    kept = listed([c.shape for c in candidates], line)
    scores = [line[n] + trees.score(candidates[n].shape, features[n]) for n in kept]
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


def led_by(ranked: Sequence[Ranked], chosen: Candidate) -> tuple[Ranked, ...]:
    """The ranking with a candidate in the first place, and what stood there in its place; scores
    and shares stay with the places."""
    front = msgspec.structs.replace(ranked[0], candidate=chosen)
    rest = (
        msgspec.structs.replace(row, candidate=ranked[0].candidate)
        if row.candidate == chosen
        else row
        for row in ranked[1:]
    )
    return (front, *rest)


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


def chance(calibration: Calibration, found: Mapping[str, float]) -> float:
    """The calibrated probability that clues speak for."""
    line = calibration.bias + sum(
        calibration.weights.get(name, 0.0) * value for name, value in found.items()
    )
    return 1.0 / (1.0 + math.exp(-line))
