"""What the engine loses without a part of it, and what exploring the repository gains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.bench.compare import compare
from bot.bench.metrics import Estimate, bootstrap
from bot.bench.run import Part
from bot.bench.score import Row
from bot.bench.table import Table

SHOWN = ("node Acc@1", "node Acc@3", "operation", "KB operation", "path exact", "fix effectiveness")
EXPLORING = "exploration"

Pair = tuple[Row, Row]


def recovery(parts: Sequence[Part]) -> Estimate | None:
    """Of the nodes that are wrong without exploration, the share that exploration puts right
    (TRACE, equation 8); None where no run left it out."""
    pairs = [
        (first, second)
        for part in parts
        if EXPLORING in part.without
        for first, second in zip(part.without[EXPLORING], part.rows, strict=True)
        if first.node is False
    ]
    return bootstrap(_recovered, pairs) if pairs else None


def _recovered(pairs: Sequence[Pair]) -> float | None:
    return sum(second.node is True for _, second in pairs) / len(pairs) if pairs else None


def ablations(parts: Sequence[Part]) -> Iterator[Table]:
    """The main metrics without each part, and how far they are from those of the whole."""
    names = dict.fromkeys(name for part in parts for name in part.without)
    if not names:
        return
    whole = [row for part in parts for row in part.rows]
    body = []
    for name in names:
        left = [row for part in parts for row in part.without.get(name, ())]
        found = {difference.metric: difference for difference in compare(whole, left, SHOWN)}
        cells = (
            f"{d.b:.2f} ({d.b - d.a:+.2f} [{d.low:+.2f}, {d.high:+.2f}])" if d else "–"
            for metric in SHOWN
            for d in (found.get(metric),)
        )
        body.append((f"without {name}", *cells))
    yield Table(
        "Ablations",
        ("", *SHOWN),
        tuple(body),
        "In brackets the paired difference to the whole engine with its 95 % interval. The "
        "measures of a part are set to nothing and the weights stay: what others could stand in "
        "for after learning anew looks more needed here than it is.",
    )
