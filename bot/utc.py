"""The present, and moments as RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def present() -> datetime:
    """The time in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def stamp(at: datetime) -> str:
    """The moment as RFC 3339 in UTC; one without a zone is taken for UTC."""
    zoned = at if at.tzinfo else at.replace(tzinfo=UTC)
    return zoned.astimezone(UTC).isoformat().replace("+00:00", "Z")
