"""Learns the ranking weights: `python -m bot.engines.offline.train SUITE...`.

Every suite is held out once, in six folds; what the others' weights make of it is the score that
is printed, what the calibrations are fitted on and what teaches the pairs of texts. What is
shipped is then learned of all suites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bot.context.vectors import E5, Cached, Encoder, cache_file
from bot.engines.offline import learn, outcomes, teach_pairs
from bot.engines.offline.engine import Parts
from bot.engines.offline.examples import Example, examples
from bot.engines.offline.lesson import Lesson, folds, learn_of, toned, toned_names
from bot.engines.offline.outcomes import Judged, Outcome
from bot.engines.offline.rank import Variant, Weights
from bot.engines.offline.trees import Trees

FOLDS = 6


class Held(msgspec.Struct, frozen=True):
    """The outcomes of all sessions, what they teach about pairs, and by suite the parts that gave
    its outcomes: those that never saw it."""

    outcomes: list[Outcome]
    pairs: Trees
    parts: dict[str, Parts]


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
    held = held_out(found, asked.variant)
    sys.stdout.write(outcomes.scored(held.outcomes))
    if not asked.dry_run:
        write(parts(found, held, asked.variant), Path(__file__).parent)


def write(made: Parts, folder: Path) -> None:
    """The parts as the data files of their variant."""
    variant = made.weights.variant
    text = msgspec.json.format(msgspec.json.encode(made.weights), indent=1)
    (folder / f"weights.{variant}.json").write_bytes(text + b"\n")
    (folder / f"tone.{variant}.json").write_bytes(msgspec.json.encode(made.tone) + b"\n")
    for name, grown in (("trees", made.trees), ("pairs", made.pairs)):
        # A line a tree, so that a difference between two trainings can be read.
        lines = b",\n".join(msgspec.json.encode(tree) for tree in grown.trees)
        head = b'{"names":' + msgspec.json.encode(grown.names)
        (folder / f"{name}.{variant}.json").write_bytes(
            head + b',\n"trees":[\n' + lines + b"\n]}\n"
        )


def held_out(found: Sequence[Example], variant: Variant) -> Held:
    """Each session's outcome under parts that never saw its suite: weights, trees and tone, the
    trees that pair texts, which learn of sessions that have the right fix so, and calibrations."""
    names = toned_names(found)
    parted = folds(found, FOLDS)
    lessons: list[Lesson] = []
    judged: list[Judged] = []
    for fold in parted:
        known = [e for e in found if e.suite not in fold]
        tested = toned(known, [e for e in found if e.suite in fold])
        lesson = learn_of(known, names)
        lessons.append(lesson)
        judged.extend(outcomes.judge(e, lesson.taught) for e in tested)
    pairs = [_pairs(judged, fold, names) for fold in parted]
    became = [
        outcomes.paired(j, trees, names)
        for fold, trees in zip(parted, pairs, strict=True)
        for j in judged
        if j.outcome.suite in fold
    ]
    made: dict[str, Parts] = {}
    for fold, lesson, trees in zip(parted, lessons, pairs, strict=True):
        others = [o for o in became if o.suite not in fold]
        made |= dict.fromkeys(fold, _made(lesson, trees, others, variant))
    return Held(became, _pairs(judged, frozenset(), names), made)


def _pairs(judged: Sequence[Judged], without: frozenset[str], names: Sequence[str]) -> Trees:
    return teach_pairs.taught([j.group for j in judged if j.outcome.suite not in without], names)


def parts(found: Sequence[Example], held: Held, variant: Variant) -> Parts:
    """What all examples teach, with what was learned of held-out outcomes."""
    lesson = learn_of(found, toned_names(found))
    return _made(lesson, held.pairs, held.outcomes, variant)


def _made(lesson: Lesson, pairs: Trees, found: Sequence[Outcome], variant: Variant) -> Parts:
    taught = lesson.taught
    shapes: dict[str, dict[str, float]] = {
        shape: {
            n: round(float(w), 4) for n, w in zip(taught.names, row, strict=True) if abs(w) >= 5e-4
        }
        for shape, row in zip(learn.SHAPES, taught.matrix, strict=True)
    }
    weights = Weights(
        variant=variant,
        made_from=lesson.suites,
        sessions=lesson.sessions,
        shapes=shapes,
        calibration=outcomes.calibrated(found),
        text_calibration=outcomes.text_calibrated(found),
    )
    return Parts(weights, lesson.tone, taught.trees, pairs)


if __name__ == "__main__":
    main(sys.argv[1:])
