"""Which commit brought in which lines of a file, as git blames them; people are left out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import msgspec

from context_repo_schema.checkout import git

HASH = 40


class Line(msgspec.Struct, frozen=True):
    """A line with the commit that it came with; `date` is a day in UTC.

    `edge` marks a commit behind which the history is not known, so that the line may be older.
    """

    number: int
    text: str
    sha: str
    date: str
    message: str
    edge: bool


class Run(msgspec.Struct, frozen=True):
    """Consecutive lines that came with one commit, best read from the first to the last."""

    lines: tuple[Line, ...]

    @property
    def place(self) -> str:
        """Its line numbers, such as `3` or `3-7`."""
        first, last = self.lines[0].number, self.lines[-1].number
        return str(first) if first == last else f"{first}-{last}"


def blamed(root: Path, path: str, first: int = 1, last: int | None = None) -> tuple[Run, ...]:
    """The lines of a tracked file, or those from `first` to `last`, by commit in their order.

    Raises `GitFailed` where git does not know the file or has no such lines.
    """
    span = f"{first},{last if last is not None else ''}"
    told = git(root, "blame", "--line-porcelain", "-L", span, "--", path)
    # Only a line feed ends a record; the file's own text may hold other line breaks.
    found = groupby(_lines(iter(told.split("\n"))), key=lambda line: line.sha)
    return tuple(Run(tuple(lines)) for _, lines in found)


def _lines(told: Iterator[str]) -> Iterator[Line]:
    """Each record: a line of hash and numbers, facts, and the text behind a tab."""
    facts: dict[str, str] = {}
    for row in told:
        if row.startswith("\t"):
            moment = datetime.fromtimestamp(int(facts["committer-time"]), UTC)
            yield Line(
                int(facts["number"]),
                row[1:].rstrip("\r"),
                facts["sha"],
                moment.date().isoformat(),
                facts["summary"],
                "boundary" in facts,
            )
            facts = {}
        elif not facts and len(row.partition(" ")[0]) >= HASH:
            sha, _, number = row.split(" ")[:3]
            facts = {"sha": sha, "number": number}
        else:
            name, _, value = row.partition(" ")
            facts[name] = value
