"""What sessions are worth: the evidence bar of those from after a merge."""

from __future__ import annotations

import pytest

from bot.lifecycle.traffic import enough
from bot.records.change import ChangeSet, State
from bot.records.finding import Operation
from bot.records.plan import Limits, Observed


def unit(state: State, operation: Operation) -> ChangeSet:
    return ChangeSet(
        unit_id="0" * 8,
        finding_ids=(),
        kind="SKILL_FILE_STALE",
        operation=operation,
        classification="SYSTEMIC",
        state=state,
        sessions=(),
        principals=0,
        confidence=0.9,
        files=(),
    )


@pytest.mark.parametrize(
    ("state", "operation", "people", "is_enough"),
    [
        ("ready", "UPDATE", "a", True),
        ("ready", "DELETE", "a", False),
        ("ready", "DELETE", "aa", True),
        ("draft", "UPDATE", "ab", False),
        ("draft", "UPDATE", "aab", True),
        ("draft", "UPDATE", "aaa", False),
        ("draft", "UPDATE", "aaab", False),
        ("draft", "UPDATE", "aabb", True),
        ("draft", "DELETE", "aabb", False),
        ("draft", "DELETE", "aabbc", True),
        ("candidate", "UPDATE", "aab", True),
        ("candidate", "UPDATE", "", False),
    ],
)
def test_the_bar_of_sessions_from_after_a_merge(
    state: State, operation: Operation, people: str, is_enough: bool
) -> None:
    seen = [Observed(f"s{at}", person) for at, person in enumerate(people)]
    assert enough(unit(state, operation), seen, Limits()) is is_enough
