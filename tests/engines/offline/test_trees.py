"""Trees say in Python what their library says, and judge the hypotheses that lead."""

from __future__ import annotations

from typing import Literal

import lightgbm
import msgspec
import numpy as np
import pytest

from bot.engines.offline import grow, learn, trees
from bot.engines.offline.candidate import Candidate, Shape
from bot.engines.offline.rank import rank
from bot.engines.offline.trees import Tree, Trees, listed

NAMES = ("first", "second")


def block(seed: int) -> learn.Block:
    """Right is the middle of a measure: no linear score can say so."""
    dice = np.random.default_rng(seed)
    values = dice.integers(0, 3, (40, 2)).astype(np.float32)
    good = values[:, 0] == 1
    return learn.Block(
        suite=f"suite{seed % 3}",
        values=values,
        shapes=np.zeros(40, np.int64),
        good=good,
        neutral=np.zeros(40, bool),
        cost=np.ones(40, np.float32),
        rows=tuple(range(40)),
    )


def test_trees_learn_what_no_linear_score_can_say() -> None:
    found = grow.grown([block(n) for n in range(20)], NAMES)

    score = [found.score("stale", {"first": value, "second": 1.0}) for value in (0.0, 1.0, 2.0)]

    assert score[1] > max(score[0], score[2])


def test_the_same_blocks_grow_the_same_trees() -> None:
    blocks = [block(n) for n in range(10)]

    assert grow.grown(blocks, NAMES) == grow.grown(blocks, NAMES)


def test_scores_are_those_of_the_library() -> None:
    blocks = [block(n) for n in range(10)]
    found = grow.grown(blocks, NAMES)
    table = np.hstack([blocks[0].values, np.eye(len(learn.SHAPES))[blocks[0].shapes]])
    every = np.vstack([np.hstack([b.values, np.eye(len(learn.SHAPES))[b.shapes]]) for b in blocks])
    grades = np.concatenate([np.where(b.good, 2, 0) for b in blocks])
    expected = np.zeros(40)
    for seed in range(1, grow.SEEDS + 1):
        data = lightgbm.Dataset(every, grades, group=[40] * 10, params={"verbose": -1})
        model = lightgbm.train({**grow.SHAPE, "seed": seed}, data, grow.ROUNDS)
        expected += np.asarray(model.predict(table, raw_score=True)) * grow.WEIGHT / grow.SEEDS

    own = [
        found.score("stale", dict(zip(NAMES, map(float, row), strict=True)))
        for row in blocks[0].values
    ]

    assert own == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("name", ["trees", "pairs"])
def test_the_packaged_trees_ask_only_for_what_they_name(name: Literal["trees", "pairs"]) -> None:
    found = trees.load(name, "lexical")

    for tree in found.trees:
        assert len(tree.left) == len(tree.right) == len(tree.feature) == len(tree.leaf) - 1
        assert all(0 <= n < len(found.names) for n in tree.feature)


def test_a_tree_that_is_one_leaf_has_one_value() -> None:
    assert Tree([], [], [], [], [2.5]).value([]) == 2.5


def test_the_best_of_every_shape_are_judged() -> None:
    stale: Shape = "stale"
    gap: Shape = "gap"
    shapes = [stale] * 300 + [gap] * 20
    scores = [float(-n) for n in range(320)]

    kept = listed(shapes, scores)

    assert kept == [*range(trees.BEST), *range(300, 300 + trees.BEST_OF_SHAPE)]


def test_trees_can_turn_the_order_of_a_linear_score() -> None:
    candidates = [Candidate("stale", "a.md", 0, 0), Candidate("gap", "b.md", 0, 0)]
    line = [1.0, 0.0]
    against = Trees(("shape_stale",), (Tree([0], [0.5], [~0], [~1], [0.0, -3.0]),))
    features = [{"bias": 1.0}, {"bias": 1.0}]

    first = rank(Trees(), candidates, features, line)[0]
    turned = rank(against, candidates, features, line)[0]

    assert (first.candidate.path, turned.candidate.path) == ("a.md", "b.md")
    assert msgspec.json.decode(msgspec.json.encode(against), type=Trees) == against
