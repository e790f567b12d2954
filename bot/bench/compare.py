"""Two runs over the same sessions: paired differences with bootstrap intervals, and thresholds."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bot.bench.metrics import METRICS, RESAMPLES, SEED
from bot.bench.score import Row
from bot.bench.table import markdown
from bot.errors import ConfigError


class Difference(msgspec.Struct, frozen=True):
    """One metric in both runs; `low` and `high` bound B minus A with 95 % confidence."""

    metric: str
    a: float
    b: float
    low: float
    high: float


def read_rows(path: Path) -> tuple[Row, ...]:
    """The rows of a file that `bench run --json` wrote. Raises `ConfigError`."""
    try:
        result = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        return msgspec.convert(result.get("rows"), tuple[Row, ...])
    except (OSError, msgspec.DecodeError) as problem:
        reason = f"{path}: not a result of `bench run --json`: {problem}"
        raise ConfigError(reason) from problem


def compare(
    a: Sequence[Row], b: Sequence[Row], metrics: Iterable[str] = METRICS
) -> tuple[Difference, ...]:
    """Every metric that both runs have, over the sessions that both runs scored."""
    other = {(row.suite, row.session_id): row for row in b}
    pairs = [(row, other[key]) for row in a if (key := (row.suite, row.session_id)) in other]
    if not pairs:
        raise ConfigError("the two results have no session in common; compare runs of one suite")
    return tuple(d for name in metrics if (d := _difference(name, pairs)) is not None)


def _difference(name: str, pairs: Sequence[tuple[Row, Row]]) -> Difference | None:
    measure = METRICS[name]

    def both(sample: Sequence[tuple[Row, Row]]) -> tuple[float | None, float | None]:
        return measure([a for a, _ in sample]), measure([b for _, b in sample])

    a, b = both(pairs)
    if a is None or b is None:
        return None
    draw = random.Random(SEED)
    drawn = []
    for _ in range(RESAMPLES):
        one, two = both(draw.choices(pairs, k=len(pairs)))
        if one is not None and two is not None:
            drawn.append(two - one)
    drawn.sort()
    return Difference(name, a, b, drawn[int(0.025 * len(drawn))], drawn[int(0.975 * len(drawn))])


def below(differences: Sequence[Difference], least: Mapping[str, float]) -> list[str]:
    """A sentence for each threshold that run B does not reach. Unknown metrics are an error."""
    found = {difference.metric: difference.b for difference in differences}
    for name in least:
        if name not in METRICS:
            raise ConfigError(f"there is no metric {name!r}; known are {', '.join(METRICS)}")
    return [
        f"{name} is {found.get(name, 0.0):.3f}, below {value:.3f}"
        for name, value in least.items()
        if found.get(name, 0.0) < value
    ]


def render(differences: Sequence[Difference]) -> str:
    """The differences as a Markdown table; a star marks an interval that excludes 0."""
    rows = (
        [
            d.metric,
            f"{d.a:.3f}",
            f"{d.b:.3f}",
            f"{d.b - d.a:+.3f} [{d.low:+.3f}, {d.high:+.3f}]{' *' if d.low * d.high > 0 else ''}",
        ]
        for d in differences
    )
    return markdown(["metric", "A", "B", "B - A"], rows) + "\n"
