"""From the confidence that a model states to the chance that it is right.

The points are data (`calibration.json`), fitted on answers of known outcome with `fit`; a
strategy without points keeps what the model states.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import msgspec

Points = tuple[tuple[float, float], ...]


def calibrated(strategy: str, stated: float) -> float:
    """The chance of being right, 0 to 1; percentages are understood."""
    stated = min(1.0, max(0.0, stated / 100 if stated > 1 else stated))
    points = _read().get(strategy, ())
    return round(_between(points, stated), 4) if points else stated


def fit(outcomes: Sequence[tuple[float, bool]]) -> Points:
    """Points of a rising curve from (stated, right) pairs, by pooling neighbours that fall
    (isotonic regression, Barlow et al., 1972)."""
    pools: list[tuple[float, float, int]] = []
    for stated, group in groupby(sorted(outcomes), key=lambda outcome: outcome[0]):
        rights = [right for _, right in group]
        pools.append((stated, sum(rights) / len(rights), len(rights)))
        while len(pools) > 1 and pools[-2][1] > pools[-1][1]:
            (x, y, n), (x2, y2, n2) = pools[-2:]
            pools[-2:] = [((x * n + x2 * n2) / (n + n2), (y * n + y2 * n2) / (n + n2), n + n2)]
    return tuple((x, y) for x, y, _ in pools)


def _between(points: Points, stated: float) -> float:
    at = bisect_right(points, (stated, 2.0))
    if at == 0 or at == len(points):
        return points[min(at, len(points) - 1)][1]
    (x, y), (x2, y2) = points[at - 1], points[at]
    return y + (y2 - y) * (stated - x) / (x2 - x)


@cache
def _read() -> dict[str, Points]:
    raw = (Path(__file__).parent / "calibration.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, Points])
