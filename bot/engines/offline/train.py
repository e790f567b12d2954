"""Learns the ranking weights: `python -m bot.engines.offline.train SUITE...`.

Every suite is held out once; what the others' weights make of it is the score that is printed
and what the calibration is fitted on. The shipped weights are then learned of all suites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bot.context.vectors import E5, Cached, Encoder, cache_file
from bot.engines.offline import learn
from bot.engines.offline.candidate import Shape
from bot.engines.offline.examples import Example, examples
from bot.engines.offline.rank import Calibration, Variant, Weights, clues, ranking
from bot.engines.offline.tone import BUCKETS, Tone, features

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEEDS = 3
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
    sys.stdout.write(table(outcomes))
    if not asked.dry_run:
        weights = final(found, outcomes, asked.variant)
        path = Path(__file__).parent / f"weights.{asked.variant}.json"
        path.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
        path = Path(__file__).parent / f"tone.{asked.variant}.json"
        path.write_bytes(msgspec.json.encode(tone_of(found)) + b"\n")


def learned(blocks: Sequence[learn.Block], names: Sequence[str]) -> NDArray[np.float32]:
    """Weights on the raw scale of the features, averaged over the seeds."""
    import numpy as np

    every = np.concatenate([b.values for b in blocks])
    # A rare measure must not be blown up: a spread below one counts as one.
    spread = np.maximum(every.std(axis=0), 1.0).astype(np.float32)
    scaled = [msgspec.structs.replace(b, values=b.values / spread) for b in blocks]
    runs = [learn.fit(scaled, names, seed) for seed in range(SEEDS)]
    return np.asarray(sum(runs) / (len(runs) * spread), np.float32)


def held_out(found: Sequence[Example]) -> list[Outcome]:
    """Each session's outcome under weights and tone that never saw its suite."""
    outcomes: list[Outcome] = []
    for suite in dict.fromkeys(e.suite for e in found):
        known = [e for e in found if e.suite != suite]
        tested = toned(known, [e for e in found if e.suite == suite])
        known = cross_toned(known)
        names = learn.names_of(known)
        weights = learned([learn.block(e, names) for e in known], names)
        outcomes.extend(_outcome(e, learn.block(e, names), weights) for e in tested)
    return outcomes


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
    rows = tuple(
        msgspec.structs.replace(
            row, features={**row.features, **features(sounds, row.candidate.shape)}
        )
        for row in example.rows
    )
    return msgspec.structs.replace(example, rows=rows)


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


def _outcome(example: Example, part: learn.Block, weights: NDArray[np.float32]) -> Outcome:
    found = learn.scores(part, weights)
    rows = [example.rows[i] for i in part.rows]
    ranked = ranking([r.candidate for r in rows], [float(s) for s in found])
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


def final(found: Sequence[Example], outcomes: Sequence[Outcome], variant: Variant) -> Weights:
    """The weights of all suites, with the calibration of the held-out outcomes."""
    bias, slopes = learn.logistic([o.clues for o in outcomes], [o.fix for o in outcomes])
    slopes = {n: round(w, 4) for n, w in sorted(slopes.items())}
    return ranked_by(found, Calibration(round(bias, 4), slopes), variant)


def ranked_by(found: Sequence[Example], calibration: Calibration, variant: Variant) -> Weights:
    """The weights that examples teach, with a calibration that was fitted elsewhere."""
    ready = cross_toned(found)
    names = learn.names_of(ready)
    matrix = learned([learn.block(e, names) for e in ready], names)
    shapes: dict[str, dict[str, float]] = {
        shape: {n: round(float(w), 4) for n, w in zip(names, row, strict=True) if abs(w) >= 5e-4}
        for shape, row in zip(learn.SHAPES, matrix, strict=True)
    }
    return Weights(
        variant=variant,
        made_from=tuple(dict.fromkeys(e.suite for e in found)),
        sessions=len(found),
        shapes=shapes,
        calibration=calibration,
    )


def table(outcomes: Sequence[Outcome]) -> str:
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
