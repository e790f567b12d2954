"""Learns the ranking weights: `python -m bot.engines.offline.train SUITE...`.

Every suite is held out once, in six folds; what the others' weights make of it is the score that
is printed and what the calibration is fitted on. What is shipped is then learned of all suites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bot.context.vectors import E5, Cached, Encoder, cache_file
from bot.engines.offline import grow, learn
from bot.engines.offline.candidate import Shape
from bot.engines.offline.engine import Parts
from bot.engines.offline.examples import Example, examples, table
from bot.engines.offline.rank import Calibration, Variant, Weights, clues, ranking
from bot.engines.offline.tone import BUCKETS, Tone, features
from bot.engines.offline.trees import Trees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEEDS, FOLDS = 3, 6
# Weight of the ridge and strength of the tone, for hashed words and for sentence vectors.
HASHED, SENSED = (3.0, 8.0), (0.3, 4.0)


class Outcome(msgspec.Struct, frozen=True):
    """What became of one held-out session; nodes are None where none is at fault."""

    suite: str
    fix: bool
    node: bool | None
    node3: bool | None
    clues: dict[str, float]


def main(arguments: Sequence[str]) -> None:
    """Train one variant and write its weights beside this module."""
    parser = argparse.ArgumentParser(prog="python -m bot.engines.offline.train")
    parser.add_argument("suites", nargs="+", type=Path, metavar="SUITE")
    parser.add_argument("--variant", choices=["lexical", "semantic"], default="lexical")
    parser.add_argument("--without", action="append", default=[], metavar="MEASURE")
    parser.add_argument("--dry-run", action="store_true", help="score, but write nothing")
    asked = parser.parse_args(arguments)
    encoder: Encoder | None = Cached(E5(), cache_file()) if asked.variant == "semantic" else None
    found = [e for root in asked.suites for e in examples(root, encoder, frozenset(asked.without))]
    outcomes = held_out(found)
    sys.stdout.write(scored(outcomes))
    if not asked.dry_run:
        made = parts(found, calibrated(outcomes), asked.variant)
        folder = Path(__file__).parent
        text = msgspec.json.format(msgspec.json.encode(made.weights), indent=1)
        (folder / f"weights.{asked.variant}.json").write_bytes(text + b"\n")
        (folder / f"tone.{asked.variant}.json").write_bytes(msgspec.json.encode(made.tone) + b"\n")
        trees = b",\n".join(msgspec.json.encode(tree) for tree in made.trees.trees)
        (folder / f"trees.{asked.variant}.json").write_bytes(
            b'{"names":'
            + msgspec.json.encode(made.trees.names)
            + b',\n"trees":[\n'
            + trees
            + b"\n]}\n"
        )


def learned(
    blocks: Sequence[learn.Block], names: Sequence[str], seeds: int = SEEDS
) -> NDArray[np.float32]:
    """Weights on the raw scale of the features, averaged over the seeds."""
    import numpy as np

    every = np.concatenate([b.values for b in blocks])
    # A rare measure must not be blown up: a spread below one counts as one.
    spread = np.maximum(every.std(axis=0), 1.0).astype(np.float32)
    scaled = [msgspec.structs.replace(b, values=b.values / spread) for b in blocks]
    runs = [learn.fit(scaled, names, seed) for seed in range(seeds)]
    return np.asarray(sum(runs) / (len(runs) * spread), np.float32)


def held_out(found: Sequence[Example]) -> list[Outcome]:
    """Each session's outcome under weights, trees and tone that never saw its suite."""
    outcomes: list[Outcome] = []
    for fold in folds(found, FOLDS):
        known = [e for e in found if e.suite not in fold]
        tested = toned(known, [e for e in found if e.suite in fold])
        taught = teach(cross_toned(known))
        outcomes.extend(_outcome(e, taught) for e in tested)
    return outcomes


def folds(found: Sequence[Example], most: int) -> list[frozenset[str]]:
    """The suites of the examples in as many parts as asked for, or in one a suite."""
    suites = list(dict.fromkeys(e.suite for e in found))
    parts = (frozenset(suites[n::most]) for n in range(most))
    return [part for part in parts if part]


class Taught(msgspec.Struct, frozen=True):
    """What examples teach: a row of weights a shape over `names`, and trees."""

    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    trees: Trees


def teach(ready: Sequence[Example]) -> Taught:
    """Weights and trees of examples that have their tone."""
    names = learn.names_of(ready)
    blocks = [learn.block(e, names) for e in ready]
    return Taught(names, learned(blocks, names), grow.grown(_hard(ready, blocks, names), names))


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


def _outcome(example: Example, taught: Taught) -> Outcome:
    part = learn.block(example, taught.names)
    part = grow.cut(part, learn.scores(part, taught.matrix))
    rows = [example.rows[i] for i in part.rows]
    linear = learn.scores(part, taught.matrix).tolist()
    scores = [
        score + taught.trees.score(example.rows[i].candidate.shape, example.features(i))
        for i, score in zip(part.rows, linear, strict=True)
    ]
    ranked = ranking([r.candidate for r in rows], scores)
    by_candidate = {row.candidate: row for row in rows}
    first = by_candidate[ranked[0].candidate]
    nodes = list(dict.fromkeys(r.candidate.node for r in ranked))[:3]
    right = {row.candidate.node for row in rows if row.node}
    return Outcome(
        suite=example.suite,
        fix=first.fix,
        node=first.node if example.rooted else None,
        node3=bool(right & set(nodes)) if example.rooted else None,
        clues=clues(ranked),
    )


def calibrated(outcomes: Sequence[Outcome]) -> Calibration:
    """The calibration of held-out outcomes."""
    bias, slopes = learn.logistic([o.clues for o in outcomes], [o.fix for o in outcomes])
    return Calibration(round(bias, 4), {n: round(w, 4) for n, w in sorted(slopes.items())})


def parts(found: Sequence[Example], calibration: Calibration, variant: Variant) -> Parts:
    """What examples teach, with a calibration that was fitted elsewhere."""
    taught = teach(cross_toned(found))
    shapes: dict[str, dict[str, float]] = {
        shape: {
            n: round(float(w), 4) for n, w in zip(taught.names, row, strict=True) if abs(w) >= 5e-4
        }
        for shape, row in zip(learn.SHAPES, taught.matrix, strict=True)
    }
    weights = Weights(
        variant=variant,
        made_from=tuple(dict.fromkeys(e.suite for e in found)),
        sessions=len(found),
        shapes=shapes,
        calibration=calibration,
    )
    return Parts(weights, tone_of(found), taught.trees)


def scored(outcomes: Sequence[Outcome]) -> str:
    """Held-out scores by suite and in all."""
    rows: Mapping[str, list[Outcome]] = {
        suite: [o for o in outcomes if o.suite == suite]
        for suite in dict.fromkeys(o.suite for o in outcomes)
    }
    lines = [f"{'held out':24} {'n':>4} {'fix':>6} {'node':>6} {'node@3':>6}"]
    for name, own in (*rows.items(), ("all", list(outcomes))):
        scores = [_mean([o.fix for o in own]), _mean([o.node for o in own])]
        scores.append(_mean([o.node3 for o in own]))
        lines.append(f"{name:24} {len(own):>4} " + " ".join(f"{s:6.3f}" for s in scores))
    for wanted in (0.95, 0.9):
        lines.append(f"right in {wanted:.2f} of the surest {coverage(outcomes, wanted):.2f}")
    return "\n".join(lines) + "\n"


def coverage(outcomes: Sequence[Outcome], wanted: float) -> float:
    """The largest share of sessions, surest first, of which `wanted` have the right fix."""
    bias, slopes = learn.logistic([o.clues for o in outcomes], [o.fix for o in outcomes])

    def sure(outcome: Outcome) -> float:
        return bias + sum(slopes.get(name, 0.0) * x for name, x in outcome.clues.items())

    right = [o.fix for o in sorted(outcomes, key=lambda o: -sure(o))]
    sizes = [n for n in range(1, len(right) + 1) if sum(right[:n]) >= wanted * n]
    return max(sizes, default=0) / max(len(right), 1)


def _mean(values: Sequence[bool | None]) -> float:
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else 0.0


if __name__ == "__main__":
    main(sys.argv[1:])
