"""Run an engine over benchmark folders and score what it found. Labels never reach the engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from bot.bench.floors import FLOORS, Frequent, floor
from bot.bench.score import Row, score
from bot.bench.suite import Suite
from bot.context.read import read_repo
from bot.ports import Engine
from bot.run import diagnose_all
from bot.stages.plan import plan

Build = Callable[[], Engine]


class Lineup(msgspec.Struct, frozen=True):
    """How the engine under test is made, and how it is made with a part of it taken away."""

    engine: Build
    without: Mapping[str, Build] = {}


class Part(msgspec.Struct, frozen=True):
    """One suite's rows, by the engine, by each floor, and by the engine without a part of it.

    `learned_on` says which suites the floors took the commonest answers from; `seconds` is what
    the engine took.
    """

    name: str
    rows: tuple[Row, ...]
    floors: dict[str, tuple[Row, ...]]
    learned_on: str
    seconds: float
    without: dict[str, tuple[Row, ...]] = {}


def evenly(suite: Suite, count: int | None) -> Suite:
    """The suite with that many sessions, spread over the file by a fixed rule, or all of them."""
    have = len(suite.trajectories)
    if count is None or count >= have:
        return suite
    picked = tuple(suite.trajectories[n * have // count] for n in range(count))
    return msgspec.structs.replace(suite, trajectories=picked)


def run_all(suites: Sequence[Suite], lineup: Callable[[Suite], Lineup]) -> tuple[Part, ...]:
    """Every suite with engines of its own, floors beside it.

    The commonest category, operation and component type come from the other suites; with one
    suite alone from itself, which flatters the floor.
    """
    parts = []
    for suite in suites:
        others = [other for other in suites if other is not suite]
        judged = lineup(suite)
        started = time.monotonic()
        rows = run_suite(suite, judged.engine())
        seconds = time.monotonic() - started
        learned_on = "the other suites" if others else "the suite itself"
        floors = _floors(suite, Frequent(others or [suite]))
        without = {name: run_suite(suite, build()) for name, build in judged.without.items()}
        parts.append(Part(suite.name, rows, floors, learned_on, seconds, without))
    return tuple(parts)


def run_suite(suite: Suite, engine: Engine) -> tuple[Row, ...]:
    """One row a labelled session, in the order of the file."""
    repo = read_repo(suite.context, history=suite.history)
    found = diagnose_all(suite.trajectories, engine, repo)
    planned = [unit.change_set for unit in plan(found.sessions, repo, spans=found.spans)]
    ready = {session for unit in planned if unit.state == "ready" for session in unit.sessions}
    return tuple(
        score(suite.name, label, result, ready=result.session_id in ready)
        for result in found.sessions
        if (label := suite.labels.get(result.session_id)) is not None
    )


def _floors(suite: Suite, frequent: Frequent) -> dict[str, tuple[Row, ...]]:
    repo = read_repo(suite.context, history=suite.history)
    return {
        name: tuple(
            score(suite.name, suite.labels[result.session_id], result)
            for result in floor(suite, repo, order, frequent)
            if result.session_id in suite.labels
        )
        for name, order in FLOORS.items()
    }


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
