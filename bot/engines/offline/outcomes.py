"""What becomes of a session under parts that never saw its suite, and how sure they may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from bot.engines.offline import grow, learn, teach_pairs
from bot.engines.offline.examples import Example
from bot.engines.offline.lesson import Taught
from bot.engines.offline.pairs import BEHIND, sureness
from bot.engines.offline.rank import Calibration, Ranked, clues, ranking
from bot.engines.offline.trees import Trees


class Outcome(msgspec.Struct, frozen=True):
    """What became of one held-out session; nodes are None where none is at fault.

    `pair` says whether the fix is right in its texts too, `sureness` what tells of that.
    """

    suite: str
    fix: bool
    node: bool | None
    node3: bool | None
    clues: dict[str, float]
    pair: bool = False
    sureness: dict[str, float] = {}


class Judged(msgspec.Struct, frozen=True):
    """A held-out outcome with the pairs that its fix leaves to choose from."""

    outcome: Outcome
    group: teach_pairs.Group


def judge(example: Example, taught: Taught) -> Judged:
    """What weights and trees make of a session that they never saw."""
    part = learn.block(example, taught.names)
    part = grow.cut(part, learn.scores(part, taught.matrix))
    rows = [example.rows[i] for i in part.rows]
    linear = learn.scores(part, taught.matrix).tolist()
    scores = [
        score + taught.trees.score(example.rows[i].candidate.shape, example.features(i))
        for i, score in zip(part.rows, linear, strict=True)
    ]
    ranked = ranking([r.candidate for r in rows], scores)
    by_candidate = {row.candidate: i for row, i in zip(rows, part.rows, strict=True)}
    first = by_candidate[ranked[0].candidate]
    return Judged(
        _outcome(example, ranked, first),
        teach_pairs.group(example, taught.names, taught.matrix, first),
    )


def _outcome(example: Example, ranked: Sequence[Ranked], first: int) -> Outcome:
    nodes = list(dict.fromkeys(r.candidate.node for r in ranked))[:3]
    right = {row.candidate.node for row in example.rows if row.node}
    row = example.rows[first]
    return Outcome(
        suite=example.suite,
        fix=row.fix,
        node=row.node if example.rooted else None,
        node3=bool(right & set(nodes)) if example.rooted else None,
        clues=clues(ranked),
    )


def paired(judged: Judged, trees: Trees, names: Sequence[str]) -> Outcome:
    """The outcome with what the trees make of its pairs."""
    block = judged.group.block
    shape = learn.SHAPES[block.shapes[0]]
    if shape == "sound" or len(block.rows) < 2:
        return msgspec.structs.replace(judged.outcome, pair=judged.group.fix)
    every = (*names, BEHIND)
    scores = [
        trees.score(shape, dict(zip(every, row, strict=True))) for row in block.values.tolist()
    ]
    at = max(range(len(scores)), key=lambda n: scores[n])
    return msgspec.structs.replace(
        judged.outcome, pair=bool(block.good[at]), sureness=sureness(scores, at)
    )


def calibrated(outcomes: Sequence[Outcome]) -> Calibration:
    """How sure a fix is, by held-out outcomes."""
    return _fitted([o.clues for o in outcomes], [o.fix for o in outcomes])


def text_calibrated(outcomes: Sequence[Outcome]) -> Calibration:
    """How sure a fix is in its texts too, by held-out outcomes."""
    return _fitted([{**o.clues, **o.sureness} for o in outcomes], [o.pair for o in outcomes])


def _fitted(rows: Sequence[dict[str, float]], right: Sequence[bool]) -> Calibration:
    bias, slopes = learn.logistic(rows, right)
    return Calibration(round(bias, 4), {n: round(w, 4) for n, w in sorted(slopes.items())})


def scored(outcomes: Sequence[Outcome]) -> str:
    """Held-out scores by suite and in all."""
    rows: Mapping[str, list[Outcome]] = {
        suite: [o for o in outcomes if o.suite == suite]
        for suite in dict.fromkeys(o.suite for o in outcomes)
    }
    lines = [f"{'held out':24} {'n':>4} {'fix':>6} {'node':>6} {'node@3':>6} {'texts':>6}"]
    for name, own in (*rows.items(), ("all", list(outcomes))):
        scores = [_mean([o.fix for o in own]), _mean([o.node for o in own])]
        scores += [_mean([o.node3 for o in own]), _mean([o.pair for o in own])]
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
