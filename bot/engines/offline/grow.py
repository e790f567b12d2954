"""Grows the trees that correct the linear score (extra group `train`: lightgbm).

The rows that they learn from are chosen, as for a new session, by a linear score that never saw
the session's suite; otherwise the hard ones would be missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from bot.engines.offline import learn
from bot.engines.offline.trees import Tree, Trees, listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

ROUNDS, SEEDS = 150, 2
WEIGHT = 1.5  # of the trees beside the linear score, by held-out suites
FOLDS = 5
# Small trees, each from a third of the measures and some of the sessions: there are few sessions.
SHAPE: dict[str, Any] = {
    "objective": "lambdarank",
    "label_gain": [0, 1, 3],
    "lambdarank_truncation_level": 10,
    "num_leaves": 15,
    "min_data_in_leaf": 20,
    "learning_rate": 0.05,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}


def grown(chosen: Sequence[learn.Block], names: Sequence[str]) -> Trees:
    """The trees that blocks of chosen rows teach; the mean over the seeds."""
    import lightgbm
    import numpy as np

    every = (*names, *(f"shape_{shape}" for shape in learn.SHAPES))
    table = np.vstack([np.hstack([b.values, np.eye(len(learn.SHAPES))[b.shapes]]) for b in chosen])
    grades = np.concatenate([np.where(b.good, 2, np.where(b.neutral, 1, 0)) for b in chosen])
    groups = [len(b.values) for b in chosen]
    found: list[Tree] = []
    for seed in range(1, SEEDS + 1):
        data = lightgbm.Dataset(table, grades, group=groups, params={"verbose": -1})
        model = lightgbm.train({**SHAPE, "seed": seed}, data, ROUNDS)
        found += [_tree(one["tree_structure"]) for one in model.dump_model()["tree_info"]]
    return _used(every, found)


def cut(block: learn.Block, scores: Floats) -> learn.Block:
    """The rows of a block that the trees would judge."""
    keep = listed([learn.SHAPES[s] for s in block.shapes], [float(s) for s in scores])
    return msgspec.structs.replace(
        block,
        values=block.values[keep],
        shapes=block.shapes[keep],
        good=block.good[keep],
        neutral=block.neutral[keep],
        cost=block.cost[keep],
        rows=tuple(block.rows[n] for n in keep),
    )


def _tree(root: dict[str, Any]) -> Tree:
    """A dumped tree as lists; a leaf has its seed's share of what the trees weigh."""
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaf: list[float] = []

    def place(node: dict[str, Any]) -> int:
        if "leaf_value" in node:
            leaf.append(round(WEIGHT * node["leaf_value"] / SEEDS, 5))
            return ~(len(leaf) - 1)
        at = len(feature)
        feature.append(node["split_feature"])
        threshold.append(float(f"{node['threshold']:.7g}"))
        left.append(0)
        right.append(0)
        left[at] = place(node["left_child"])
        right[at] = place(node["right_child"])
        return at

    place(root)
    return Tree(feature, threshold, left, right, leaf)


def _used(names: Sequence[str], trees: Sequence[Tree]) -> Trees:
    """The trees over only those measures that some tree asks for."""
    asked = sorted({n for tree in trees for n in tree.feature})
    place = {old: new for new, old in enumerate(asked)}
    return Trees(
        tuple(names[n] for n in asked),
        tuple(
            msgspec.structs.replace(tree, feature=[place[n] for n in tree.feature])
            for tree in trees
        ),
    )
