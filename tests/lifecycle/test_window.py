"""From when on a run reads: before what earlier runs read, and never by a record that lies."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.lifecycle.window import ANCIENT, read_up_to, window
from bot.records.plan import Reading
from bot.utc import stamp
from tests.hostile import HOSTILE

NOW = datetime(2026, 1, 20, 9, tzinfo=UTC)
WEEK = timedelta(days=7)


def ago(**span: float) -> str:
    return stamp(NOW - timedelta(**span))


@pytest.mark.parametrize("days", [0.01, 1, 6, 29])
def test_a_run_reads_from_before_the_record(days: float) -> None:
    found = window(ago(days=days), 7, NOW)
    assert found.since == NOW - timedelta(days=days) - WEEK
    assert "up to which earlier runs read, says the dashboard" in found.why
    assert stamp(found.since) in found.why


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("", "no run that read all stores to their end stands on the dashboard"),
        ("yesterday", "is no moment"),
        ("2026-13-01T00:00:00Z", "is no moment"),
        (ago(days=-2), "lies ahead of now"),
        ("9999-12-31T23:59:59Z", "lies ahead of now"),
        ("0001-01-01T00:00:00+14:00", "is no moment"),
        (ago(days=31), "more than 30 days ago"),
    ],
)
def test_without_a_believable_record_the_window_ends_now(record: str, why: str) -> None:
    found = window(record, 7, NOW)
    assert found.since == NOW - WEEK
    assert why in found.why


def test_the_sentence_says_why_nothing_is_known() -> None:
    assert window("", 7, NOW, "issues are off").why.endswith("7 days back: issues are off")


@given(record=st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40), st.datetimes().map(str)))
def test_no_record_can_narrow_the_window_or_speak(record: str) -> None:
    found = window(record, 7, NOW)
    assert NOW - ANCIENT - WEEK <= found.since <= NOW - WEEK
    assert len(found.why) < 200


def test_a_run_that_read_everything_moves_the_record() -> None:
    reading = Reading(ago(days=8), ago(minutes=5))
    assert read_up_to("", reading, NOW) == ago(minutes=5)
    assert read_up_to(ago(days=1), reading, NOW) == ago(minutes=5)
    assert read_up_to(ago(days=8), Reading("", ago(minutes=5)), NOW) == ago(minutes=5)


@pytest.mark.parametrize(
    ("reading", "case"),
    [
        (None, "something was not read"),
        (Reading(ago(hours=1), ago(minutes=5)), "there is a gap before it"),
        (Reading(ago(days=9), ago(days=2)), "it is older than the record"),
        (Reading(ago(days=9), ago(days=-2)), "it lies ahead"),
        (Reading(ago(days=9), "soon"), "it is no moment"),
    ],
)
def test_what_leaves_the_record_as_it_is(reading: Reading | None, case: str) -> None:
    assert read_up_to(ago(days=1), reading, NOW) == ago(days=1), case


def test_a_run_that_stopped_at_its_limit_makes_the_record_void() -> None:
    assert read_up_to(ago(days=1), Reading(ago(days=8), ""), NOW) == ""


@pytest.mark.parametrize("record", ["nonsense", ago(days=-400), ago(days=400)])
def test_a_record_that_lies_is_replaced(record: str) -> None:
    assert read_up_to(record, Reading(ago(hours=1), ago(minutes=5)), NOW) == ago(minutes=5)
