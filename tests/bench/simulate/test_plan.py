"""Quotas add up, whatever a repository can show."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.bench.simulate.plan import SHARES, quotas


@settings(deadline=None)
@given(st.integers(1, 500), st.sets(st.sampled_from(list(SHARES)), min_size=1))
def test_quotas_add_up(count: int, possible: set[str]) -> None:
    found = quotas(count, sorted(possible))  # type: ignore[arg-type]
    assert sum(quota.sessions for quota in found) == count
    assert {quota.kind for quota in found} <= possible


def test_asked_numbers_stand() -> None:
    found = {q.kind: q.sessions for q in quotas(20, list(SHARES), {"DELETE": 9, "CONTROL": 0})}
    assert found["DELETE"] == 9
    assert "CONTROL" not in found
    assert sum(found.values()) == 20
