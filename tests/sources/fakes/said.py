"""What happened, before any store wrote it down in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

# Fewer rows than were asked for, as a store may give, so that a few rows are many pages.
PAGE = 20
PRESENT = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    """One exchange: a trace with a root and a tool call in it, and perhaps a vote on the trace."""

    number: int
    session: str | None
    question: str = "q"
    answer: str = "a"
    ago: timedelta = timedelta(hours=1)
    failed: bool = False
    vote: bool | None = None
    voted_ago: timedelta = timedelta(minutes=5)
    environment: str = "production"
    tags: tuple[str, ...] = ()
    broken: bool = False

    @property
    def at(self) -> datetime:
        return PRESENT - self.ago

    @property
    def voted_at(self) -> datetime:
        return PRESENT - self.voted_ago

    @property
    def trace(self) -> str:
        return f"{self.number:032x}"

    @property
    def uuid(self) -> str:
        return f"00000000-0000-7000-8000-{self.number:012x}"


def stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def page(rows: Sequence[Any], asked: Any, size: int) -> tuple[list[Any], str | None]:
    """The rows from a cursor on, and the next cursor."""
    start = int(asked or 0)
    rest = start + size < len(rows)
    return list(rows[start : start + size]), str(start + size) if rest else None


def one(query: Mapping[str, list[str]], key: str, default: str = "") -> str:
    return query.get(key, [default])[0]


def sessions(said: Sequence[Said]) -> dict[str, list[Said]]:
    found: dict[str, list[Said]] = {}
    for told in said:
        if told.session is not None:
            found.setdefault(told.session, []).append(told)
    return found
