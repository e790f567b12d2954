"""The table of suites in a data card, counted from the suites themselves.

python -m bot.bench.card FOLDER    writes it into FOLDER/README.md, between its two marks
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bot.atomic import write
from bot.bench.suite import Suite, load
from bot.bench.table import markdown
from bot.errors import ConfigError

BEGIN, END = "<!-- suites -->", "<!-- /suites -->"
HEAD = ("suite", "sessions", "controls", "files", "faults", "C / U / D / none", "s / c / d")
OPERATIONS = ("CREATE", "UPDATE", "DELETE", "NO_ACTION")
TIERS = ("simple", "complex", "difficult")


def table(suites: Iterable[Suite]) -> str:
    """A row a suite and one of sums, as Markdown."""
    rows = [(suite.name, _counts(suite)) for suite in suites]
    sums = tuple(
        tuple(map(sum, zip(*column, strict=True)))
        for column in zip(*(counts for _, counts in rows), strict=True)
    )
    return markdown(HEAD, [(name, *map(_cell, counts)) for name, counts in (*rows, ("all", sums))])


def _counts(suite: Suite) -> tuple[tuple[int, ...], ...]:
    labels = list(suite.labels.values())
    unhappy = [label for label in labels if label.is_dsat]
    operations = Counter[str](label.operation for label in unhappy)
    tiers = Counter(label.complexity for label in unhappy)
    files = sum(path.is_file() for path in suite.context.rglob("*"))
    faults = len({label.fault_id for label in unhappy if label.fault_id})
    return (
        (len(labels),),
        (len(labels) - len(unhappy),),
        (files,),
        (faults,),
        tuple(operations[name] for name in OPERATIONS),
        tuple(tiers[name] for name in TIERS),
    )


def _cell(counts: tuple[int, ...]) -> str:
    return " / ".join(map(str, counts))


def suites_of(folder: Path) -> tuple[Suite, ...]:
    """Every suite below a folder, by name."""
    return tuple(load(path.parent) for path in sorted(folder.glob("*/labels.jsonl")))


def renewed(card: str, suites: Iterable[Suite]) -> str:
    """The data card with its table counted anew. Raises `ConfigError` where a mark is missing."""
    before, begin, rest = card.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ConfigError(f"the data card needs the lines {BEGIN} and {END} around its table")
    return f"{before}{begin}\n{table(suites)}\n{end}{after}"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    card = folder / "README.md"
    write(card, renewed(card.read_text("utf-8"), suites_of(folder)).encode())
