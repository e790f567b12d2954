"""Learning of the ranking weights from sessions with several right hypotheses, and calibration.

By margin (latent structural SVM: Yu and Joachims, 2009), each session asks that its best right
hypothesis beats every wrong one by the wrong one's cost; by likelihood, that the right ones
together have most of the softmax. They err differently: both added up are better than either.
Weights of a shape are its own plus those that all shapes share, so that a shape with few
sessions leans on the rest; the weights of measures whose direction is known keep their sign.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, get_args

import msgspec

from bot.engines.offline.candidate import Shape
from bot.engines.offline.examples import Example

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Flags = NDArray[np.bool_]

SHAPES: tuple[Shape, ...] = get_args(Shape)
EPOCHS, BATCH, RATE = 24, 16, 0.05
# Where the answer supports the faulty unit and the complaint the truth, more is never less.
UP = re.compile(
    r"truth_(complaint|admission|question|matter|whole)_(words|sense|bare)|truth_rank.*"
    r"|faulty_(answer|thoughts|question|searches|exchange|whole)_(words|sense|bare)|faulty_rank.*"
    r"|pair_(words|sense|bare|same_key|heading)|opposed.*|turn_.*|contrast_(truth_.*|faulty_answer|faulty_old)"
    r"|values_(apart|strong|wanted|said|both|wanted_apart|said_apart)"
    r"|truth_has_(wanted|admitted)|faulty_has_said|wins.*|round_(relevance|last)|ends_.*|map_.*"
    r"|truth_(strange|binds|assistants|share_.*)|tool_(used|error_names|truth_.*)"
    r"|target_(question|near_truth).*"
)
DOWN = re.compile(r"truth_(draft|dead)|loses_.*")
_ABOUT_FAULTS = 6  # shapes that blame the context; for the others a truth speaks for the agent


class Block(msgspec.Struct, frozen=True):
    """One session as arrays: a row a hypothesis, sorted by shape."""

    suite: str
    values: Floats
    shapes: NDArray[np.int64]
    good: Flags
    neutral: Flags
    cost: Floats
    rows: tuple[int, ...]


def names_of(examples: Sequence[Example]) -> tuple[str, ...]:
    """Every feature that occurs, in order."""
    return tuple(sorted({name for e in examples for name in e.names}))


def block(example: Example, names: Sequence[str]) -> Block:
    """Right is right in every respect; among those the one that the label's quotes name."""
    import numpy as np

    order = sorted(
        range(len(example.rows)), key=lambda i: SHAPES.index(example.rows[i].candidate.shape)
    )
    rows = [example.rows[i] for i in order]
    place = {name: i for i, name in enumerate(names)}
    known = [n for n, name in enumerate(example.names) if name in place]
    values = np.zeros((len(rows), len(names)), np.float32)
    values[:, [place[example.names[n]] for n in known]] = example.values[order][:, known]
    best = max((r.fit for r in rows if r.fix and r.node and r.category), default=-1)
    good = [r.fix and r.node and r.category and r.fit == best for r in rows]
    neutral = [not g and r.fix and r.node for g, r in zip(good, rows, strict=True)]
    return Block(
        suite=example.suite,
        values=values,
        shapes=np.array([SHAPES.index(r.candidate.shape) for r in rows]),
        good=np.array(good),
        neutral=np.array(neutral),
        cost=np.array([1.0 - 0.5 * r.fix - 0.5 * (r.fix and r.node) for r in rows], np.float32),
        rows=tuple(order),
    )


def scores(part: Block, weights: Floats) -> Floats:
    """The score of every row under weights of one row a shape."""
    import numpy as np

    out = np.empty(len(part.values), np.float32)
    for shape in range(len(SHAPES)):
        own = np.flatnonzero(part.shapes == shape)
        if len(own):
            first, last = own[0], own[-1] + 1
            out[first:last] = part.values[first:last] @ weights[shape]
    return out


def by_margin(part: Block, found: Floats) -> Floats:
    """1 for the wrong row that comes nearest to winning, -1 for the best right one; zero where
    that is ahead by more than the cost."""
    import numpy as np

    moves = np.zeros(len(found), np.float32)
    right = np.flatnonzero(part.good)
    best = right[found[right].argmax()]
    rivals = found + part.cost
    rivals[part.good | part.neutral] = -np.inf
    worst = rivals.argmax()
    if rivals[worst] > found[best]:
        moves[worst], moves[best] = 1.0, -1.0
    return moves


def by_likelihood(part: Block, found: Floats) -> Floats:
    """How far the share of every row is from its share among the right ones alone."""
    import numpy as np

    def shares(counted: Flags) -> Floats:
        powers = np.exp(np.where(counted, found, -np.inf) - found[counted].max())
        return np.asarray(powers / powers.sum(), np.float32)

    return shares(~part.neutral) - shares(part.good)


class Loss(msgspec.Struct, frozen=True):
    """How much more every row of a session scores than it should, and how strongly the weights of
    one shape and those of all are held to zero."""

    moves: Callable[[Block, Floats], Floats]
    own: float
    shared: float


LOSSES = (Loss(by_margin, 1e-2, 3e-3), Loss(by_likelihood, 1e-3, 1e-3))


def fit(blocks: Sequence[Block], names: Sequence[str], loss: Loss, seed: int) -> Floats:
    """Weights, one row a shape; Adam with a falling rate, averaged over the second half."""
    import numpy as np

    blocks = [b for b in blocks if b.good.any()]
    weights = np.zeros((len(SHAPES) + 1, len(names)), np.float32)
    shrink = np.full((len(SHAPES) + 1, 1), loss.own, np.float32)
    shrink[-1] = loss.shared
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    total, counted, step = np.zeros_like(weights), 0, 0
    signs = _signs(names)
    shuffle = random.Random(seed)
    order = list(range(len(blocks)))
    for epoch in range(EPOCHS):
        shuffle.shuffle(order)
        for start in range(0, len(order), BATCH):
            chosen = [blocks[i] for i in order[start : start + BATCH]]
            slope = _slope(chosen, weights, loss) / BATCH + shrink * weights
            step += 1
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            rate = RATE * (1 - epoch / EPOCHS)
            move = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            weights = _signed((weights - rate * move).astype(np.float32), signs)
            if 2 * epoch >= EPOCHS:
                total += weights
                counted += 1
    total /= max(counted, 1)
    return np.asarray(total[:-1] + total[-1], np.float32)


def _slope(blocks: Sequence[Block], weights: Floats, loss: Loss) -> Floats:
    import numpy as np

    slope = np.zeros_like(weights)
    joined = weights[:-1] + weights[-1]
    for part in blocks:
        moves = loss.moves(part, scores(part, joined))
        for shape in range(len(SHAPES)):
            own = np.flatnonzero(part.shapes == shape)
            if len(own):
                first, last = own[0], own[-1] + 1
                slope[shape] += moves[first:last] @ part.values[first:last]
    slope[-1] = slope[:-1].sum(axis=0)
    return slope


def _signs(names: Sequence[str]) -> Floats:
    import numpy as np

    return np.array(
        [1.0 if UP.fullmatch(n) else -1.0 if DOWN.fullmatch(n) else 0.0 for n in names], np.float32
    )


def _signed(weights: Floats, signs: Floats) -> Floats:
    """Weights of the wrong sign set to zero, for the shapes that blame the context."""
    for row in (*range(_ABOUT_FAULTS), -1):
        weights[row][signs * weights[row] < 0] = 0.0
    return weights


def ridge(
    vectors: Floats, shapes: Sequence[Shape], weight: float
) -> tuple[Floats, NDArray[np.float64]]:
    """Slopes (a column a shape) and biases of a ridge regression on one-hot shapes."""
    import numpy as np

    target = np.array([[float(shape == own) for own in SHAPES] for shape in shapes])
    middle, usual = vectors.mean(axis=0), target.mean(axis=0)
    centred = vectors - middle
    inner = centred @ centred.T + weight * np.eye(len(vectors))
    slopes = centred.T @ np.linalg.solve(inner, target - usual)
    return slopes.astype(np.float32), -(middle @ slopes)


def logistic(
    rows: Sequence[dict[str, float]], right: Sequence[bool]
) -> tuple[float, dict[str, float]]:
    """Coefficients of a ridge logistic fit (Newton), for calibration."""
    import numpy as np

    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(n, 0.0) for n in names] + [1.0] for row in rows])
    truth = np.array(right, float)
    weights = np.zeros(len(names) + 1)
    ridge = np.diag([1.0] * len(names) + [1e-3])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(table @ weights)))
        slope = table.T @ (chance - truth) + ridge @ weights
        curve = (table * (chance * (1 - chance))[:, None]).T @ table + ridge
        weights = weights - np.linalg.solve(curve, slope)
    return float(weights[-1]), {n: float(w) for n, w in zip(names, weights, strict=False)}
