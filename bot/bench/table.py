"""A table of a benchmark report, as data, and how its cells are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bot.bench.metrics import Estimate

NOTHING = "–"


class Table(msgspec.Struct, frozen=True):
    """A title, a table, and what has to be known to read it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def cell(found: Estimate) -> str:
    """A share with its interval, or a dash where nothing was measured."""
    if found.value is None:
        return NOTHING
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"


def markdown(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(" --- " for _ in head) + "|"]
    lines += ["| " + " | ".join(part.replace("|", "\\|") for part in row) + " |" for row in body]
    return "\n".join(lines)
