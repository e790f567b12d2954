"""Of explanations that ask for one fix at one node, the one whose two texts belong together.

The ranking answers which fix is right; which line is wrong and which sentence settles it is
another question, and other measures tell. Its trees are learned by `teach_pairs.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.rank import Ranked, led_by
from bot.engines.offline.trees import Trees

MOST = 40  # pairs that are compared, the best by the linear score
BEHIND = "behind"  # how far a pair's linear score is behind the best of its group
_CLEAR = 5.0  # a lead above which more says nothing


def alike(candidates: Sequence[Candidate], linear: Sequence[float], first: Candidate) -> list[int]:
    """The places of the explanations of the same fix at the same node, best first."""
    fix = (first.shape, first.path, first.node)
    found = [n for n, c in enumerate(candidates) if (c.shape, c.path, c.node) == fix]
    return sorted(found, key=lambda n: -linear[n])[:MOST]


def paired(
    trees: Trees,
    ranked: Sequence[Ranked],
    candidates: Sequence[Candidate],
    features: Sequence[Mapping[str, float]],
    linear: Sequence[float],
) -> tuple[tuple[Ranked, ...], dict[str, float]]:
    """The ranking with the best pair for its fix in front, and what tells how sure the pair is.

    The first place keeps its score and its share: the fix stays the same.
    """
    first = ranked[0].candidate
    group = alike(candidates, linear, first)
    if first.shape == "sound" or len(group) < 2:
        return tuple(ranked), {}
    top = max(linear[n] for n in group)
    scores = [trees.score(first.shape, {**features[n], BEHIND: linear[n] - top}) for n in group]
    at = max(range(len(group)), key=lambda k: scores[k])
    return led_by(ranked, candidates[group[at]]), sureness(scores, at)


def sureness(scores: Sequence[float], at: int) -> dict[str, float]:
    """What the scores of a group say about one of it: its share of all, and its lead."""
    powers = [math.exp(score - scores[at]) for score in scores]
    second = max((s for k, s in enumerate(scores) if k != at), default=scores[at] - _CLEAR)
    return {
        "pair_share": 1.0 / math.fsum(powers),
        "pair_lead": min(scores[at] - second, _CLEAR),
    }
