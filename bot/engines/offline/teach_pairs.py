"""Teaches which pair of texts belongs to a fix, from sessions whose fix is right."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.engines.offline import grow, learn
from bot.engines.offline.examples import Example
from bot.engines.offline.pairs import BEHIND, alike
from bot.engines.offline.trees import Trees


class Group(msgspec.Struct, frozen=True):
    """The pairs of the fix that a ranking put first, a row each; `fix` whether it is right."""

    fix: bool
    block: learn.Block


def group(example: Example, names: Sequence[str], matrix: learn.Floats, first: int) -> Group:
    """The pairs beside the explanation that stands at the row `first` of an example."""
    import numpy as np

    whole = learn.block(example, names)
    row_scores = learn.scores(whole, matrix).tolist()
    linear = dict(zip(whole.rows, row_scores, strict=True))
    candidates = [row.candidate for row in example.rows]
    members = alike(candidates, [linear[n] for n in range(len(candidates))], candidates[first])
    place = {row: n for n, row in enumerate(whole.rows)}
    own = [place[n] for n in members]
    top = max(linear[n] for n in members)
    behind = np.array([[linear[n] - top] for n in members], np.float32)
    fits = [row.fit for row in example.rows if row.fix]
    best = max(fits, default=-1)
    good = [example.rows[n].fix and example.rows[n].fit == best for n in members]
    block = learn.Block(
        suite=whole.suite,
        values=np.hstack([whole.values[own], behind]),
        shapes=whole.shapes[own],
        good=np.array(good),
        neutral=np.zeros(len(members), bool),
        cost=whole.cost[own],
        rows=tuple(members),
    )
    return Group(example.rows[first].fix, block)


def taught(groups: Sequence[Group], names: Sequence[str]) -> Trees:
    """Trees over the measures and the distance to the best; none where there is nothing to
    choose from."""
    sound = learn.SHAPES.index("sound")
    blocks = [
        g.block
        for g in groups
        if g.fix and g.block.shapes[0] != sound and g.block.good.any() and not g.block.good.all()
    ]
    return grow.grown(blocks, (*names, BEHIND)) if blocks else Trees()
