"""A clock that moves only when a test says so, so that every time stamp and commit id repeats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class Clock:
    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def stamp(self) -> str:
        """The time as GitHub writes it."""
        return stamp(self._now)

    def advance(self, **parts: float) -> None:
        """Move on by a `timedelta`'s parts: `advance(days=31)`."""
        self._now += timedelta(**parts)

    def set(self, moment: datetime) -> None:
        self._now = moment


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
