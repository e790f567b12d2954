"""What labelled sessions teach about the ranking: weights, trees and tone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from bot.engines.offline import grow, learn
from bot.engines.offline.candidate import Shape
from bot.engines.offline.examples import Example, table
from bot.engines.offline.tone import BUCKETS, Tone, features
from bot.engines.offline.trees import Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEEDS = 2
# Weight of the ridge and strength of the tone, for hashed words and for sentence vectors.
HASHED, SENSED = (3.0, 8.0), (0.3, 4.0)


class Taught(msgspec.Struct, frozen=True):
    """What examples teach: a row of weights a shape over `names`, and trees."""

    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    trees: Trees


class Lesson(msgspec.Struct, frozen=True):
    """What some suites teach about the ranking and about the tone."""

    suites: tuple[str, ...]
    sessions: int
    taught: Taught
    tone: Tone


def learn_of(known: Sequence[Example], names: Sequence[str]) -> Lesson:
    """Weights, trees and tone of examples."""
    suites = tuple(dict.fromkeys(e.suite for e in known))
    return Lesson(suites, len(known), teach(cross_toned(known), names), tone_of(known))


def teach(ready: Sequence[Example], names: Sequence[str]) -> Taught:
    """Weights and trees of examples that have their tone."""
    blocks = [learn.block(e, names) for e in ready]
    trees = grow.grown(_hard(ready, blocks, names), names)
    return Taught(tuple(names), learned(blocks, names), trees)


def _hard(
    ready: Sequence[Example], blocks: Sequence[learn.Block], names: Sequence[str]
) -> list[learn.Block]:
    """The rows of every session that weights of other suites let through."""
    chosen: list[learn.Block] = []
    for fold in folds(ready, grow.FOLDS):
        known = [b for b in blocks if b.suite not in fold]
        matrix = learned(known, names, seeds=1) if known else None
        for part in (b for b in blocks if b.suite in fold):
            kept = part if matrix is None else grow.cut(part, learn.scores(part, matrix))
            chosen.append(kept)
    return chosen


def learned(
    blocks: Sequence[learn.Block], names: Sequence[str], seeds: int = SEEDS
) -> NDArray[np.float32]:
    """Weights on the raw scale of the features: of each loss the mean over the seeds, added."""
    import numpy as np

    every = np.concatenate([b.values for b in blocks])
    # A rare measure must not be blown up: a spread below one counts as one.
    spread = np.maximum(every.std(axis=0), 1.0).astype(np.float32)
    scaled = [msgspec.structs.replace(b, values=b.values / spread) for b in blocks]
    runs = [learn.fit(scaled, names, loss, seed) for loss in learn.LOSSES for seed in range(seeds)]
    return np.asarray(sum(runs) / (seeds * spread), np.float32)


def toned_names(found: Sequence[Example]) -> tuple[str, ...]:
    """Every measure that occurs, with those of the tone."""
    heard = features(dict.fromkeys(learn.SHAPES, 0.0), learn.SHAPES[0])
    return tuple(sorted({*learn.names_of(found), *heard}))


def folds(found: Sequence[Example], most: int) -> list[frozenset[str]]:
    """The suites of the examples in as many parts as asked for, or in one a suite."""
    suites = list(dict.fromkeys(e.suite for e in found))
    parts = (frozenset(suites[n::most]) for n in range(most))
    return [part for part in parts if part]


def cross_toned(found: Sequence[Example]) -> list[Example]:
    """Examples with the tone that the other suites teach, as a new suite will meet it."""
    toned_ones: list[Example] = []
    for suite in dict.fromkeys(e.suite for e in found):
        known = [e for e in found if e.suite != suite]
        toned_ones.extend(toned(known, [e for e in found if e.suite == suite]))
    return toned_ones


def toned(known: Sequence[Example], others: Sequence[Example]) -> list[Example]:
    """The others with features of the tone that the known ones teach; as they are where
    nothing is known."""
    if not known:
        return list(others)
    heard = tone_of(known)
    return [_toned(e, heard.sounds(list(e.vector))) for e in others]


def _toned(example: Example, sounds: dict[Shape, float]) -> Example:
    import numpy as np

    names, values = table([features(sounds, row.candidate.shape) for row in example.rows])
    return msgspec.structs.replace(
        example, names=example.names + names, values=np.hstack([example.values, values])
    )


def tone_of(found: Sequence[Example]) -> Tone:
    """The tone that examples teach, in whole numbers so that its file stays small."""
    import numpy as np

    vectors = np.array([e.vector for e in found], np.float32)
    calm, strength = HASHED if vectors.shape[1] == 4 * BUCKETS else SENSED
    slopes, bias = learn.ridge(vectors, [e.shape for e in found], calm)
    slopes, bias = strength * slopes, strength * bias
    unit = float(np.abs(slopes).max()) / 499 or 1.0  # suites of one kind alone teach no tone
    whole = np.rint(slopes / unit).astype(int)
    return Tone(
        unit=unit,
        bias={s: float(b) for s, b in zip(learn.SHAPES, bias, strict=True)},
        slopes={s: whole[:, i].tolist() for i, s in enumerate(learn.SHAPES)},
    )
