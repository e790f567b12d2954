"""Boosted trees that judge the best explanations again, as a correction to the linear score.

A linear score cannot say that one measure counts only beside another. The trees can; they are
learned by `grow.py` (LambdaMART: Burges, From RankNet to LambdaRank to LambdaMART, 2010).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal

import msgspec

from bot.engines.offline.candidate import Shape

# What goes on to the trees: the best of all, and the best of each shape beside them.
BEST, BEST_OF_SHAPE = 80, 8


class Tree(msgspec.Struct, frozen=True):
    """One regression tree. Inner node n goes to `left[n]` where the measure numbered `feature[n]`
    is at most `threshold[n]`, else to `right[n]`; a negative place ~k is the leaf k."""

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    leaf: list[float]

    def value(self, row: Sequence[float]) -> float:
        """The leaf that a row of measures falls into."""
        feature, threshold, left, right = self.feature, self.threshold, self.left, self.right
        at = 0 if feature else ~0
        while at >= 0:
            at = left[at] if row[feature[at]] <= threshold[at] else right[at]
        return self.leaf[~at]


class Trees(msgspec.Struct, frozen=True):
    """The sum of some trees over the measures `names`; one that is absent counts as zero."""

    names: tuple[str, ...] = ()
    trees: tuple[Tree, ...] = ()

    def score(self, shape: Shape, features: Mapping[str, float]) -> float:
        """What the trees add to a hypothesis's score."""
        known = {**features, f"shape_{shape}": 1.0}
        row = [known.get(name, 0.0) for name in self.names]
        return sum(tree.value(row) for tree in self.trees)


def load(name: Literal["trees", "pairs"], variant: str) -> Trees:
    """The packaged trees of a variant: those that rank, or those that pair."""
    data = files(__package__).joinpath(f"{name}.{variant}.json").read_bytes()
    return msgspec.json.decode(data, type=Trees)


def listed(shapes: Sequence[Shape], scores: Sequence[float]) -> list[int]:
    """The places of the hypotheses that the trees judge, in their own order."""
    chosen: list[int] = []
    of_shape: dict[Shape, int] = {}
    for place, at in enumerate(sorted(range(len(scores)), key=lambda n: -scores[n])):
        of_shape[shapes[at]] = of_shape.get(shapes[at], 0) + 1
        if place < BEST or of_shape[shapes[at]] <= BEST_OF_SHAPE:
            chosen.append(at)
    return sorted(chosen)
