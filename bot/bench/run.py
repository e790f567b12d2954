"""Run an engine over benchmark folders and score what it found. Labels never reach the engine."""

from __future__ import annotations

from collections.abc import Sequence

from bot.bench.score import Row, score
from bot.bench.suite import Suite
from bot.context.read import read_repo
from bot.ports import Engine
from bot.run import diagnose_all


def run_suite(
    suite: Suite, engine: Engine, *, threshold: float = 0.7, ready_at: float = 0.8
) -> tuple[Row, ...]:
    """One row a labelled session, in the order of the file."""
    repo = read_repo(suite.context, history=suite.history)
    found = diagnose_all(suite.trajectories, engine, repo, threshold=threshold)
    return tuple(
        score(suite.name, label, result, ready_at)
        for result in found.sessions
        if (label := suite.labels.get(result.session_id)) is not None
    )


def misses(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows with something wrong: detection, node, operation or path."""
    return tuple(
        row
        for row in rows
        if row.expected_dsat != row.found_dsat
        or row.node is False
        or row.fix is False
        or (row.proposed and not row.expected_dsat)
    )
