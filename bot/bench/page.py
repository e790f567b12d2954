"""Results as one page that needs nothing else: tables and plots, also small and in the dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources

from bot.bench import published
from bot.bench.metrics import estimate
from bot.bench.plot import Bar, Spot, costs, coverage, intervals
from bot.bench.result import Result
from bot.bench.run import misses
from bot.bench.score import Row
from bot.bench.table import Table
from bot.bench.tables import FLOORED, category, curve, not_run, tables, weak_points

NO_MARKS: Mapping[str, float] = {}
DIAMOND = "Diamonds are the figures that TRACE prints for its own 60 sessions."
CALLS = (
    "Model calls of a session. Diamonds: TRACE's table 5, on 10 other sessions of 14 or 15 nodes."
)


def page(results: Sequence[Result]) -> str:
    """The HTML document: a chapter a result."""
    style = (resources.files("bot.bench") / "page.css").read_text("utf-8")
    chapters = "".join(part for result in results for part in _chapter(result))
    missing = "".join(map(_section, not_run(results)))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Benchmarks</title><style>{style}</style>"
        f"<body><main>{''.join(_head(results))}{chapters}{missing}</main></body></html>\n"
    )


def _head(results: Sequence[Result]) -> Iterator[str]:
    made = results[0].made
    facts = {"Engine": made.engine, "Date": made.date, "Machine": made.machine}
    told = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    commands = "\n".join(escape(result.made.command) for result in results)
    yield f"<h1>Benchmarks</h1><dl>{told}</dl><pre tabindex=0>{commands}</pre>"
    yield "<h2>What is weak</h2>"
    for what, lines in weak_points(results).items():
        listed = "".join(f"<li>{escape(line)}</li>" for line in lines)
        yield f"<p>{escape(what)}</p><ul>{listed}</ul>"


def _chapter(result: Result) -> Iterator[str]:
    yield f"<h2>{escape(result.made.what)}</h2><p>{escape(result.made.note)}</p>"
    yield from _plots(result.rows)
    yield from map(_section, tables(result))
    if missed := misses(result.rows):
        listed = "".join(f"<tr>{''.join(_cells(row))}</tr>" for row in missed)
        yield (
            f"<h3>Misses</h3><details><summary>{len(missed)} sessions</summary>"
            "<div class=wide tabindex=0><table><thead><tr><th>session<th>expected<th>found"
            f"<th>node<th>margin</thead><tbody>{listed}</tbody></table></div></details>"
        )


def _plots(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    marks = published.trace()
    overall = [
        bar
        for name in ("detection F1", *FLOORED)
        if (bar := _bar(name, name, rows, marks[name][0] if name in marks else None))
    ]
    yield _figure("All sessions", intervals("Metrics over all sessions", overall), DIAMOND)
    real = [row for row in rows if row.expected_dsat]
    for metric in ("node Acc@1", "fix effectiveness"):
        bars = _bars(metric, real, category)
        yield _figure(f"{metric} by category", intervals(f"{metric} by category", bars), "")
    types = _bars(
        "component type", real, lambda row: row.expected_component, published.trace_by_component()
    )
    yield _figure("Component type", intervals("Component type by type", types), DIAMOND)
    plot = coverage("Precision against coverage of proposals", curve(rows))
    note = "Right proposals among those made, from the surest on."
    yield _figure("Precision against coverage", plot, note)
    yield _figure(
        "Accuracy against cost", costs("Node Acc@1 over model calls", _spots(real)), CALLS
    )


def _spots(rows: Sequence[Row]) -> list[Spot]:
    """The engine's calls a session and its node accuracy, and TRACE's."""
    own = estimate("node Acc@1", rows).value or 0.0
    calls = sum(row.calls for row in rows) / (len(rows) or 1)
    printed = published.calls().items()
    return [
        Spot("this engine", calls, own),
        *(Spot(who, x, y, own=False) for who, (x, y) in printed),
    ]


def _bars(
    metric: str,
    rows: Sequence[Row],
    key: Callable[[Row], str],
    marks: Mapping[str, float] = NO_MARKS,
) -> list[Bar]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    found = (
        _bar(f"{name} ({len(part)})", metric, part, marks.get(name))
        for name, part in sorted(groups.items())
    )
    return [bar for bar in found if bar is not None]


def _bar(label: str, metric: str, rows: Sequence[Row], mark: float | None) -> Bar | None:
    found = estimate(metric, rows)
    if found.value is None or found.low is None or found.high is None:
        return None
    return Bar(label, found.value, found.low, found.high, mark)


def _figure(title: str, svg: str, note: str) -> str:
    caption = f"<figcaption>{escape(note)}</figcaption>" if note else ""
    return f"<h3>{escape(title)}</h3><figure>{svg}{caption}</figure>"


def _section(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(part)}</td>' for part in row)}</tr>" for row in table.rows
    )
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    return (
        f"<h3>{escape(table.title)}</h3><div class=wide tabindex=0><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
    )


def _cells(row: Row) -> Iterator[str]:
    for text in (
        f"{row.suite}/{row.session_id}",
        f"{row.expected_category} {row.expected_operation} {row.expected_target}",
        f"{row.found_category} {row.found_operation} {row.found_target}",
        f"{row.expected_node} / {row.found_node}",
        f"{row.margin:.2f}",
    ):
        yield f"<td>{escape(text)}</td>"
