"""The ranker learns what is learnable, the same way every time."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from bot.engines.offline import learn, lesson, train
from bot.engines.offline.candidate import Candidate, Shape
from bot.engines.offline.examples import Example, Row, table
from bot.engines.offline.rank import Calibration, chance, clues, ranking


def example(seed: int, suite: str) -> Example:
    """A right hypothesis that the values speak for, among wrong ones and noise."""
    dice = random.Random(seed)
    shapes: list[Shape] = ["stale", "gap", "tool"]
    right = dice.randrange(3)
    rows, measured = [], []
    for number, shape in enumerate(shapes):
        for node in (0, 1):
            good = number == right and node == 0
            measured.append({"values_both": float(good), "noise": dice.random(), "bias": 1.0})
            candidate = Candidate(shape, f"{shape}.md", node, 0)
            rows.append(Row(candidate, number == right, node == 0, number == right, 2))
    vector = tuple(float(i == right) + 0.1 * dice.random() for i in range(4))
    found = table(measured)
    return Example(suite, f"s{seed}", shapes[right], True, vector, tuple(rows), *found)


EXAMPLES = [example(n, f"suite{n % 3}") for n in range(30)]


def test_held_out_suites_are_ranked_right() -> None:
    held = train.held_out(EXAMPLES, "lexical")

    assert len(held.outcomes) == len(EXAMPLES)
    assert all(o.fix and o.node and o.node3 and o.pair for o in held.outcomes)


def test_a_suite_is_judged_by_parts_that_never_saw_it() -> None:
    held = train.held_out(EXAMPLES, "lexical")

    assert sorted(held.parts) == ["suite0", "suite1", "suite2"]
    assert all(suite not in made.weights.made_from for suite, made in held.parts.items())


@pytest.mark.parametrize("loss", learn.LOSSES)
def test_the_same_examples_give_the_same_weights(loss: learn.Loss) -> None:
    names = learn.names_of(EXAMPLES)
    blocks = [learn.block(e, names) for e in EXAMPLES]

    assert np.array_equal(learn.fit(blocks, names, loss, 1), learn.fit(blocks, names, loss, 1))


@pytest.mark.parametrize("loss", learn.LOSSES)
def test_a_loss_lifts_what_is_right_and_lowers_what_is_wrong(loss: learn.Loss) -> None:
    names = learn.names_of(EXAMPLES)
    part = learn.block(EXAMPLES[0], names)
    part = replace(part, neutral=np.array([n == 1 and not part.good[n] for n in range(6)]))

    moves = loss.moves(part, np.zeros(6, np.float32))

    assert moves.sum() == pytest.approx(0.0, abs=1e-6)
    assert (moves[part.good] < 0).all()
    assert (moves[~part.good] >= 0).all()
    assert moves[~part.good].max() > 0
    assert (moves[part.neutral] == 0).all()


def test_a_certain_choice_moves_nothing() -> None:
    part = learn.block(EXAMPLES[0], learn.names_of(EXAMPLES))
    found = np.where(part.good, 100.0, 0.0).astype(np.float32)

    for loss in learn.LOSSES:
        assert np.abs(loss.moves(part, found)).max() < 1e-6


@pytest.mark.parametrize("loss", learn.LOSSES)
def test_a_measure_whose_direction_is_known_keeps_its_sign(loss: learn.Loss) -> None:
    own = EXAMPLES[0].names.index("values_both")
    turned = [replace(e, names=("values_both",), values=-e.values[:, [own]]) for e in EXAMPLES]
    names = learn.names_of(turned)

    weights = learn.fit([learn.block(e, names) for e in turned], names, loss, 0)

    assert (weights >= 0).all()


def test_the_tone_is_heard_in_a_new_talk() -> None:
    heard = lesson.tone_of(EXAMPLES[:20])

    for one in EXAMPLES[20:]:
        sounds = heard.sounds(list(one.vector))
        assert max(sounds, key=lambda shape: sounds[shape]) == one.shape


def test_the_logistic_fit_orders_by_chance() -> None:
    rows = [{"lead": float(n % 10)} for n in range(200)]

    bias, slopes = learn.logistic(rows, [row["lead"] > 4 for row in rows])

    assert slopes["lead"] > 0
    assert bias < 0


@pytest.mark.parametrize("scores", [[1.0, 5.0], [0.0, 0.0], [-900.0, 900.0]])
def test_shares_sum_to_one_and_the_margin_is_a_probability(scores: list[float]) -> None:
    candidates = [Candidate("stale", "a.md", 0, 0), Candidate("gap", "b.md", 0, 0)]
    ranked = ranking(candidates, scores)

    assert ranked[0].score == max(scores)
    assert sum(r.share for r in ranked) == pytest.approx(1.0)
    assert 0.0 <= chance(Calibration(-1.0, {"lead": 1.0}), clues(ranked)) <= 1.0
