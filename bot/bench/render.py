"""Benchmark results as plain text, for the terminal and for BENCHMARKS.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.bench.metrics import METRICS, Estimate, table
from bot.bench.score import Row


def markdown_table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(" --- " for _ in head) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in body]
    return "\n".join(lines)


def cell(estimate: Estimate) -> str:
    """A share with its interval, or a dash where nothing was measured."""
    if estimate.value is None:
        return "–"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def by_group(rows: Sequence[Row], groups: Mapping[str, Sequence[Row]]) -> str:
    """Every metric, a column for all rows and one a group."""
    columns = {"all": table(rows), **{name: table(part) for name, part in groups.items()}}
    return markdown_table(
        ["metric", *columns],
        ([name, *(cell(column[name]) for column in columns.values())] for name in METRICS),
    )


def miss_line(row: Row) -> str:
    """What was expected and what was found, in one line."""
    want = f"{row.expected_category} {row.expected_operation} {row.expected_target}"
    got = f"{row.found_category} {row.found_operation} {row.found_target}"
    nodes = f"node {row.expected_node} / {row.found_node}"
    return f"{row.suite}/{row.session_id}: want {want}; got {got}; {nodes}; margin {row.margin:.2f}"
