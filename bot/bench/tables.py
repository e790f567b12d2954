"""The tables of a benchmark report, as data: text and page show the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from bot.bench import profile, published
from bot.bench.ablation import ablations, recovery
from bot.bench.about import about
from bot.bench.metrics import METRICS, estimate
from bot.bench.public.outcome import PublicSet
from bot.bench.result import Result
from bot.bench.run import Part, misses
from bot.bench.score import Row
from bot.bench.table import NOTHING, Table, cell

SHOWN = ("node Acc@1", "node Acc@3", "category", "component type", "operation", "path exact")
GROUPED = (*SHOWN, "fix effectiveness", "end to end")
FLOORED = (*SHOWN, "KB operation", "path partial", "fix effectiveness", "end to end")


def tables(result: Result) -> tuple[Table, ...]:
    """Every table of the result, in the order of reading."""
    found: list[Table] = []
    if result.parts:
        rows = result.rows
        found = [
            overview(result.parts, rows),
            grouped("By suite", rows, lambda row: row.suite, detection=True),
            grouped("By category", _real(rows), category),
            grouped("By tier", _real(rows), lambda row: row.complexity),
            grouped("By component type", _real(rows), lambda row: row.expected_component),
            proposals(rows),
            *ablations(result.parts),
            cost(result.parts),
        ]
    if result.shares:
        found.append(profile.table(result.shares))
    return (*found, *map(public, result.public))


def _real(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.expected_dsat]


def category(row: Row) -> str:
    """The fault category, deletions and sessions over a right context apart."""
    if row.expected_operation == "DELETE":
        return f"{row.expected_category}, DELETE"
    return "NONE (no action)" if row.expected_category == "NONE" else row.expected_category


def overview(parts: Sequence[Part], rows: Sequence[Row]) -> Table:
    """Every metric over all sessions, beside the floors and the figures of TRACE."""
    floors = {
        name: [row for part in parts for row in part.floors[name]] for name in parts[0].floors
    }
    body = []
    for name in METRICS:
        mark = published.trace().get(name)
        low = [_floor(name, found) for found in floors.values()]
        body.append((name, cell(estimate(name, rows)), *low, f"{mark[0]:.2f}" if mark else ""))
    regained = recovery(parts)
    told = cell(regained) if regained else "not measured"
    body.append(("recovery rate", told, *([NOTHING] * len(floors)), ""))
    learned = ", ".join(sorted({part.learned_on for part in parts}))
    return Table(
        "All sessions",
        ("metric", "engine", *floors, "TRACE"),
        tuple(body),
        f"{len(rows)} sessions, {len(_real(rows))} of them dissatisfied; 95 % bootstrap intervals "
        "over sessions. The floors call every session dissatisfied, take category, component type "
        f"and operation to be the commonest of {learned}, and the path from BM25 over what the "
        "user said. TRACE's figures are of 60 other sessions of one domain and stand here as a "
        "mark, not as a comparison. The recovery rate is TRACE's equation 8: of the nodes that "
        "are wrong while exploration is left out (`--ablate exploration`), the share that is right "
        "with it; what its table 6 calls by the same name is 'right despite wrong node' here.",
    )


def _floor(name: str, rows: Sequence[Row]) -> str:
    value = METRICS[name](rows) if name in FLOORED else None
    return NOTHING if value is None else f"{value:.2f}"


def grouped(
    title: str, rows: Sequence[Row], key: Callable[[Row], str], *, detection: bool = False
) -> Table:
    """The main metrics, a row a group."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    names = (*(("detection F1",) if detection else ()), *GROUPED)
    body = tuple(
        (name, str(len(part)), *(cell(estimate(metric, part)) for metric in names))
        for name, part in sorted(groups.items())
    )
    return Table(title, ("", "sessions", *names), body)


class Point(msgspec.Struct, frozen=True):
    """Proposals from a margin on: the share of dissatisfied sessions that get one, how many of
    them are right, and how many there are."""

    margin: float
    coverage: float
    precision: float
    count: int


def curve(rows: Sequence[Row]) -> tuple[Point, ...]:
    """Precision against coverage, from the surest proposal down, a point a margin."""
    real = len(_real(rows))
    ranked = sorted((row for row in rows if row.proposed), key=lambda row: -row.margin)
    points: list[Point] = []
    right = right_real = 0
    for number, row in enumerate(ranked, 1):
        right += bool(row.fix)
        right_real += row.expected_dsat
        last = number == len(ranked) or ranked[number].margin != row.margin
        if last and real:
            points.append(Point(row.margin, right_real / real, right / number, number))
    return tuple(points)


def proposals(rows: Sequence[Row]) -> Table:
    """What a user sees: of the proposals from some margin on, how many are right."""
    points = curve(rows)
    body = []
    for least in (0.95, 0.9, 0.8, 0.7, 0.5, 0.0):
        reached = [point for point in points if point.margin >= least]
        if reached:
            at = reached[-1]
            body.append(
                (f"{least:.2f}", str(at.count), f"{at.coverage:.2f}", f"{at.precision:.2f}")
            )
    return Table(
        "Proposals by margin",
        ("margin at least", "proposals", "coverage", "right"),
        tuple(body),
        "Coverage: share of dissatisfied sessions that get such a proposal. A proposal on a "
        "content user's session counts as wrong.",
    )


def cost(parts: Sequence[Part]) -> Table:
    """What a session costs."""
    body = []
    for part in parts:
        count = len(part.rows) or 1
        body.append(
            (
                part.name,
                f"{sum(row.calls for row in part.rows) / count:.1f}",
                f"{sum(row.tokens for row in part.rows) / count:.0f}",
                f"{sum(row.cost_usd for row in part.rows) / count:.4f}",
                str(sum(row.error is not None for row in part.rows)),
            )
        )
    head = ("", "model calls", "tokens", "US dollars", "failed sessions")
    return Table("Cost of a session", head, tuple(body))


def public(one: PublicSet) -> Table:
    """The scores of one public set, the floors below the engine, printed figures last."""
    names = tuple(next(iter(one.scores.values()), ()))
    body = [
        (who, *(f"{found[name]:.1f}" if name in found else NOTHING for name in names))
        for who, found in (*one.scores.items(), *one.printed.items())
    ]
    return Table(f"{one.name} ({one.count} runs)", ("percent", *names), tuple(body), one.note)


def not_run(results: Sequence[Result]) -> tuple[Table, ...]:
    """A table of the public sets where none was scored: what they are and where they come from."""
    if any(result.public for result in results):
        return ()
    sources = published.sources()
    rows = tuple((name, "not run", *told) for name, told in sources.items())
    head = ("folder", "", "published at", "files in the folder")
    return (Table("Public sets", head, rows, about("public_missing")),)


def weak_points(results: Sequence[Result]) -> dict[str, tuple[str, ...]]:
    """What is bad about the numbers, said by the numbers, under the title of each result."""
    found = {result.made.what: tuple(_weak(result)) for result in results}
    return {what: lines for what, lines in found.items() if lines}


def _weak(result: Result) -> Iterator[str]:
    wrong = [row for row in result.rows if row.ready and not row.fix]
    yield from _weak_groups(result.rows)
    yield from _beaten(result.parts)
    if result.parts:
        yield (
            f"{len(wrong)} of {sum(row.ready for row in result.rows)} proposals that would be "
            f"ready to merge are wrong; {len(misses(result.rows))} of {len(result.rows)} sessions "
            "have something wrong."
        )
    for one in result.public:
        yield from (f"{one.name}: {line}" for line in one.beaten)


def _weak_groups(rows: Sequence[Row]) -> Iterator[str]:
    groups: Mapping[str, Callable[[Row], str]] = {
        "category": category,
        "suite": lambda row: row.suite,
    }
    for kind, key in groups.items():
        by: dict[str, list[Row]] = {}
        for row in _real(rows):
            by.setdefault(key(row), []).append(row)
        shares = [
            (value, name, len(part))
            for name, part in by.items()
            if (value := METRICS["fix effectiveness"](part)) is not None
        ]
        for value, name, count in sorted(shares)[:3]:
            yield f"Weakest {kind}: {name}, fix effectiveness {value:.2f} of {count}."


def _beaten(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        for name in ("node Acc@1", "node Acc@3", "operation", "path exact", "fix effectiveness"):
            own = METRICS[name](part.rows)
            floors = {floor: METRICS[name](rows) or 0.0 for floor, rows in part.floors.items()}
            best = max(floors, key=lambda floor: floors[floor], default=None)
            if own is not None and best is not None and floors[best] >= own:
                yield (
                    f"{part.name}: the rule '{best}' reaches {name} {floors[best]:.2f}, "
                    f"the engine {own:.2f}."
                )
