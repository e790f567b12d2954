"""From when on a run reads trace stores, and up to when runs have read them. Pure.

The dashboard remembers that one moment. Whoever may edit an issue may change it, so that it is
taken for a moment and for nothing else, and what it can do is bounded: a run reads `window_days`
before it again, and one that cannot be true counts as none.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from bot.records.plan import Reading
from bot.utc import stamp

# Clocks of two machines differ; anything beyond that was not written by a run.
SKEW = timedelta(hours=1)
# Where the last record is older, runs have long failed, and a run could not make up for it.
ANCIENT = timedelta(days=30)

NO_RECORD = "no run that read all stores to their end stands on the dashboard"


class Window(msgspec.Struct, frozen=True):
    """From when on stores are read, and a sentence that says why."""

    since: datetime
    why: str


def window(record: str, days: int, now: datetime, missing: str = NO_RECORD) -> Window:
    """The window of a run for which nobody chose one. `record` is the moment that the dashboard
    remembers, empty where there is none; `missing` says why there is none."""
    until = _moment(record)
    odd = _unbelievable(until, now) if record else missing
    if until is None or odd:
        since = now - timedelta(days=days)
        return Window(since, f"stores are read from {stamp(since)} on, {days} days back: {odd}")
    since = min(until, now) - timedelta(days=days)
    why = f"{days} days before {stamp(until)}, up to which earlier runs read, says the dashboard"
    return Window(since, f"stores are read from {stamp(since)} on: {why}")


def read_up_to(record: str, reading: Reading | None, now: datetime) -> str:
    """What the dashboard remembers after a run that read `reading`; None read not everything.

    A run that read only later sessions leaves a gap before them, and moves nothing. One that
    stopped at its limit makes the record void: the next run would begin where this one began and
    get no further, so it takes the window of its length that ends now.
    """
    if reading is None:
        return record
    since, until, before = map(_moment, (reading.since, reading.until, record))
    if not reading.until:
        return ""
    if until is None or until > now + SKEW:
        return record
    if before is not None and not _unbelievable(before, now):
        leaves_gap = since is not None and since > before
        return record if leaves_gap or until <= before else stamp(until)
    return stamp(until)


def _unbelievable(until: datetime | None, now: datetime) -> str:
    """Why a moment cannot be what a run wrote, or is of no use any more; empty where it is good."""
    if until is None:
        return "what the dashboard remembers of earlier runs is no moment"
    if until > now + SKEW:
        return "what the dashboard remembers of earlier runs lies ahead of now"
    if until < now - ANCIENT:
        return f"the last run that read everything was more than {ANCIENT.days} days ago"
    return ""


def _moment(text: str) -> datetime | None:
    try:
        read = datetime.fromisoformat(text)
        return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
