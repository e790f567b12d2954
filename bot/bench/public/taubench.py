"""tau-bench runs: no step is labelled, but the reward says which runs failed.

A reward of 0 is no proof of an unhappy user: simulated users rarely object, and some gold answers
are wrong themselves. So this measures how much of failure shows in the talk, and whether content
users' runs draw proposals.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from bot.bench.public.files import objects
from bot.bench.public.outcome import PublicSet, not_beaten
from bot.bench.public.tau import chat
from bot.context.repo import ContextRepo
from bot.ports import Engine
from bot.records.trajectory import Trajectory
from bot.run import diagnose_all


class Rewarded(msgspec.Struct, frozen=True):
    """A run without a word about its outcome, and the outcome."""

    trajectory: Trajectory
    failed: bool


class Judged(msgspec.Struct, frozen=True):
    """A run's outcome, and whether the engine flagged it and proposed a change."""

    failed: bool
    flagged: bool
    proposed: bool


def read(folder: Path) -> tuple[Rewarded, ...]:
    """Every run below a domain's folder, `failed/` and `passed/` alike."""
    return tuple(
        run for part in sorted(p for p in folder.iterdir() if p.is_dir()) for run in _runs(part)
    )


def _runs(folder: Path) -> Iterator[Rewarded]:
    for path, data in objects(folder):
        for number, run in enumerate(data if isinstance(data, list) else [data]):
            told = chat(f"{folder.name}-{path.stem}-{number}", run["traj"], failed=False)
            yield Rewarded(told.trajectory, float(run["reward"]) < 1)


def judged(runs: tuple[Rewarded, ...], engine: Engine, repo: ContextRepo) -> tuple[Judged, ...]:
    """What the engine makes of every run."""
    found = diagnose_all((run.trajectory for run in runs), engine, repo).sessions
    return tuple(
        Judged(
            run.failed,
            bool(result.detection and result.detection.is_dsat),
            bool(result.recommendation and result.recommendation.operation != "NO_ACTION"),
        )
        for run, result in zip(runs, found, strict=True)
    )


def scored(name: str, runs: tuple[Judged, ...]) -> PublicSet:
    """Detection against the reward, beside calling every run failed."""
    failed = [run.failed for run in runs]
    passed = [run for run in runs if not run.failed]
    scores = {
        "engine": _detection([run.flagged for run in runs], failed),
        "all failed": _detection([True] * len(runs), failed),
    }
    wrong = sum(run.proposed for run in passed)
    scores["engine"]["proposals on passed runs"] = 100 * wrong / (len(passed) or 1)
    return PublicSet(
        name,
        len(runs),
        scores,
        note="Reward 0 stands for failed. Simulated users seldom object to a failure, so a low "
        "recall is to be expected of whatever reads the talk alone.",
        beaten=not_beaten(scores, ("F1",)),
    )


def _detection(found: list[bool], real: list[bool]) -> dict[str, float]:
    hits = sum(f and r for f, r in zip(found, real, strict=True))
    all_ = sum(found) + sum(real)
    return {
        "precision": 100 * hits / sum(found) if any(found) else 0.0,
        "recall": 100 * hits / sum(real) if any(real) else 0.0,
        "F1": 200 * hits / all_ if all_ else 0.0,
    }
