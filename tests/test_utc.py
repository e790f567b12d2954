"""Moments as other programs read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.utc import present, stamp


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05Z"),
        (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05Z"),
        (datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=5))), "2026-01-01T22:00:00Z"),
    ],
)
def test_moments_are_told_in_utc(at: datetime, text: str) -> None:
    assert stamp(at) == text


def test_the_present_reads_back() -> None:
    now = present()
    assert datetime.fromisoformat(stamp(now)) == now
