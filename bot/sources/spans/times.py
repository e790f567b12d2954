"""Times as nanoseconds since 1970, which spans have, and as RFC 3339, which records have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.utc import stamp

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def moment(nanoseconds: int | None) -> str | None:
    """RFC 3339 in UTC; None for no time, or one that no calendar holds."""
    if not nanoseconds:
        return None
    try:
        at = EPOCH + timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return None
    return stamp(at)


def instant(text: Any) -> int | None:
    """The nanoseconds of an RFC 3339 time, UTC where it names no zone; None for anything else."""
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return (at - EPOCH) // MICROSECOND * 1000
