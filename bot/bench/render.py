"""Benchmark results as plain text: for the terminal and for BENCHMARKS.md."""

from __future__ import annotations

from collections.abc import Sequence

from bot.bench.about import about
from bot.bench.result import Result
from bot.bench.run import misses
from bot.bench.score import Row
from bot.bench.table import Table, markdown
from bot.bench.tables import not_run, tables, weak_points


def text(results: Sequence[Result]) -> str:
    """Every table, and every miss with what was expected."""
    parts = [_section(table) for result in results for table in tables(result)]
    missed = [miss_line(row) for result in results for row in misses(result.rows)]
    listed = "".join(f"- {line}\n" for line in missed)
    return "\n".join(parts) + (f"\n## Misses\n\n{listed}" if missed else "")


def document(results: Sequence[Result]) -> str:
    """BENCHMARKS.md: a chapter a result."""
    made = results[0].made
    commands = "\n".join(result.made.command for result in results)
    weak = "".join(
        f"- {what}\n" + "".join(f"  - {line}\n" for line in lines)
        for what, lines in weak_points(results).items()
    )
    head = (
        f"# Benchmarks\n\n{about('head')}\n\n- Engine: {made.engine}, trace-bot "
        f"{made.tool_version}\n- Date: {made.date}\n- Machine: {made.machine}\n\n"
        f"```\n{commands}\n```\n"
    )
    chapters = [chapter(result) for result in results]
    missing = [_section(table) for table in not_run(results)]
    return "\n".join([head, f"## What is weak\n\n{weak}", *chapters, *missing])


def chapter(result: Result) -> str:
    """One result under its title: what it is, and its tables."""
    note = f"{result.made.note}\n\n" if result.made.note else ""
    sections = "\n".join(_section(table, "###") for table in tables(result))
    return f"## {result.made.what}\n\n{note}{sections}"


def _section(table: Table, level: str = "##") -> str:
    note = f"\n{table.note}\n" if table.note else ""
    return f"{level} {table.title}\n\n{markdown(table.head, table.rows)}\n{note}"


def miss_line(row: Row) -> str:
    """What was expected and what was found, in one line."""
    want = f"{row.expected_category} {row.expected_operation} {row.expected_target}"
    got = f"{row.found_category} {row.found_operation} {row.found_target}"
    nodes = f"node {row.expected_node} / {row.found_node}"
    return f"{row.suite}/{row.session_id}: want {want}; got {got}; {nodes}; margin {row.margin:.2f}"
