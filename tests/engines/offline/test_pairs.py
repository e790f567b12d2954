"""Of explanations of one fix the one leads whose texts belong together; the fix itself stays."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.engines.offline import learn, teach_pairs
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.examples import Example, Row
from bot.engines.offline.pairs import BEHIND, MOST, alike, paired, sureness
from bot.engines.offline.rank import ranking
from bot.engines.offline.trees import Tree, Trees

STALE = [Candidate("stale", "a.md", 1, 0, faulty, truth) for faulty in (1, 2) for truth in (7, 8)]
OTHERS = [Candidate("stale", "a.md", 2, 0, 1, 7), Candidate("gap", "b.md", 1, 0, None, 7)]
# One split: a row whose measure `together` is above a half scores 2, any other 0.
TOGETHER = Trees(("together",), (Tree([0], [0.5], [~0], [~1], [0.0, 2.0]),))


def measured(good: int) -> list[dict[str, float]]:
    return [{"together": float(n == good)} for n in range(len(STALE) + len(OTHERS))]


@pytest.mark.parametrize("good", range(len(STALE)))
def test_the_pair_that_belongs_together_takes_the_first_place(good: int) -> None:
    found = [*STALE, *OTHERS]
    line = [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]
    ranked = ranking(found, line)

    led, clues = paired(TOGETHER, ranked, found, measured(good), line)

    assert led[0].candidate == STALE[good]
    assert [row.score for row in led] == [row.score for row in ranked]
    assert {row.candidate for row in led} == set(found)
    assert clues["pair_lead"] == 2.0


def test_a_pair_that_the_trees_never_saw_in_the_ranking_takes_the_place_of_the_first() -> None:
    ranked = ranking(STALE[:1], [5.0])

    led, _ = paired(TOGETHER, ranked, STALE, measured(2)[:4], [5.0, 4.0, 3.0, 2.0])

    assert [row.candidate for row in led] == [STALE[2]]


@pytest.mark.parametrize("first", [Candidate("sound", None, 1, 0, None, 7), OTHERS[1]])
def test_what_leaves_no_choice_stays(first: Candidate) -> None:
    ranked = ranking([first], [1.0])

    assert paired(TOGETHER, ranked, [first], [{"together": 1.0}], [1.0]) == (ranked, {})


def test_only_the_same_fix_at_the_same_node_is_compared_and_not_all_of_it() -> None:
    many = [Candidate("stale", "a.md", 1, 0, n, 7) for n in range(100)]
    line = [float(n) for n in range(100)]

    places = alike([*many, *OTHERS], [*line, 500.0, 500.0], many[0])

    assert places == list(range(99, 99 - MOST, -1))


def test_a_lone_score_is_surer_than_one_of_equals() -> None:
    assert sureness([3.0, 0.0], 0)["pair_share"] > sureness([3.0, 3.0], 0)["pair_share"] == 0.5
    assert sureness([1.0], 0)["pair_share"] == 1.0


def test_trees_learn_the_pair_from_sessions_whose_fix_is_right() -> None:
    dice = random.Random(5)
    names = ("noise", "together")

    def session(number: int) -> Example:
        good = dice.randrange(len(STALE))
        values = [[dice.random(), float(n == good)] for n in range(len(STALE))]
        rows = tuple(Row(c, True, True, True, 2 * (n == good)) for n, c in enumerate(STALE))
        table = np.array(values, np.float32)
        return Example(f"s{number % 3}", str(number), "stale", True, (1.0,), rows, names, table)

    matrix = np.zeros((len(learn.SHAPES), 2), np.float32)
    groups = [teach_pairs.group(session(n), names, matrix, 0) for n in range(40)]

    found = teach_pairs.taught(groups, names)

    scores = [
        found.score("stale", {"noise": 0.5, "together": together, BEHIND: 0.0})
        for together in (0.0, 1.0)
    ]
    assert scores[1] > scores[0]
    assert teach_pairs.taught([], names) == Trees()
