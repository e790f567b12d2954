"""Benchmark results as plain text: for the terminal and for BENCHMARKS.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.bench.result import Result
from bot.bench.run import misses
from bot.bench.score import Row
from bot.bench.tables import Table, tables, weak_points

ABOUT = """\
Made by `trace-bot bench report`; the commands below make it again. Floors stand beside every score:
a number means little unless a rule of thumb is far below it.

The hand-made suites are in `fixtures/bench`, and each has a README that says how it was written.
The offline engine's weights name the suites that they were learned from (`made_from`); figures on
those are not the figures of a repository that it has never seen. Simulated suites are new to the
weights, but their words come from templates. Public sets come without a context repository of this
kind, so that only the node is scored there.
"""


def markdown_table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(" --- " for _ in head) + "|"]
    lines += ["| " + " | ".join(part.replace("|", "\\|") for part in row) + " |" for row in body]
    return "\n".join(lines)


def text(result: Result) -> str:
    """Every table, and every miss with what was expected."""
    listed = "\n".join(f"- {miss_line(row)}" for row in misses(result.rows))
    parts = [_section(table) for table in tables(result)]
    return "\n".join(parts) + (f"\n## Misses\n\n{listed}\n" if result.parts else "")


def document(result: Result) -> str:
    """BENCHMARKS.md."""
    made = result.made
    weak = "\n".join(f"- {line}" for line in weak_points(result))
    head = (
        f"# Benchmarks\n\n{ABOUT}\n- Engine: {made.engine}, trace-bot {made.tool_version}\n"
        f"- Date: {made.date}\n- Machine: {made.machine}\n\n```\n{made.command}\n```\n"
    )
    return "\n".join([head, f"## What is weak\n\n{weak}\n", *map(_section, tables(result))])


def _section(table: Table) -> str:
    note = f"\n{table.note}\n" if table.note else ""
    return f"## {table.title}\n\n{markdown_table(table.head, table.rows)}\n{note}"


def miss_line(row: Row) -> str:
    """What was expected and what was found, in one line."""
    want = f"{row.expected_category} {row.expected_operation} {row.expected_target}"
    got = f"{row.found_category} {row.found_operation} {row.found_target}"
    nodes = f"node {row.expected_node} / {row.found_node}"
    return f"{row.suite}/{row.session_id}: want {want}; got {got}; {nodes}; margin {row.margin:.2f}"
