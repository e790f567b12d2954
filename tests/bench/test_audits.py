"""What `audit` finds is set beside what a suite's labels blame."""

from __future__ import annotations

from pathlib import Path

from bot.bench.audits import outcome, table
from bot.bench.suite import load

BENCH = Path(__file__).parents[2] / "fixtures" / "bench"


def test_a_fault_counts_once_and_a_finding_only_where_it_shows_one() -> None:
    found = outcome(load(BENCH / "platform-runbooks"))

    assert 0 < found.found <= found.faults
    assert found.found <= found.right <= found.findings
    assert table([found, found]).splitlines()[-1].split() == [
        "all",
        *(str(2 * n) for n in (found.faults, found.found, found.findings, found.right)),
    ]
