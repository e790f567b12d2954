"""Which public sets there are, how each is read, and with which context the engine judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.bench import published
from bot.bench.public import agentrx, taubench, whowhen
from bot.bench.public.outcome import PublicSet
from bot.bench.public.steps import Run, engine_rule, scored
from bot.context.read import read_repo
from bot.context.repo import ContextRepo
from bot.ports import Engine

Build = Callable[[], Engine]

NOTE = (
    "Exact comparison of steps; a run without an answer is wrong. Nobody corrects the agent in "
    "these runs, and the right answer is not given."
)
TEAMS = " Two teams of experts agree on the exact step in 36 % of these logs."


def score(build: Build, places: Mapping[str, Path | None], policies: Path) -> tuple[PublicSet, ...]:
    """Every set whose place is given: `whowhen`, `agentrx`, `taubench`."""
    return tuple(
        found
        for name, measure in SETS.items()
        if (place := places.get(name)) is not None
        for found in measure(build, place, policies)
    )


def _whowhen(build: Build, place: Path, policies: Path) -> Iterator[PublicSet]:
    for folder in whowhen.FOLDERS:
        runs = whowhen.read(place / folder)
        note = NOTE + (TEAMS if folder == "Hand-Crafted" else "")
        yield _steps(f"Who&When {folder}", runs, build, nothing(), note)


def _agentrx(build: Build, place: Path, policies: Path) -> Iterator[PublicSet]:
    for domain in agentrx.DOMAINS:
        repo = _policy(policies / "retail") if domain == "tau_retail" else nothing()
        note = NOTE + (TEAMS if domain == "magentic_one" else "")
        yield _steps(f"AgentRx {domain}", agentrx.read(place / domain), build, repo, note)


def _taubench(build: Build, place: Path, policies: Path) -> Iterator[PublicSet]:
    engine = build()
    judged = (
        taubench.judged(
            taubench.read(place / "trajectories" / domain), engine, _policy(policies / domain)
        )
        for domain in ("airline", "retail")
    )
    yield taubench.scored("tau-bench", tuple(run for runs in judged for run in runs))


def _steps(
    name: str, runs: tuple[Run, ...], build: Build, repo: ContextRepo, note: str
) -> PublicSet:
    return scored(name, runs, engine_rule(build(), repo), published.printed(name), note)


def _policy(folder: Path) -> ContextRepo:
    return read_repo(folder, history=()) if folder.is_dir() else nothing()


def nothing() -> ContextRepo:
    """A repository without a file."""
    return ContextRepo(Path(), None, (), {}, {})


SETS: Mapping[str, Callable[[Build, Path, Path], Iterator[Any]]] = {
    "whowhen": _whowhen,
    "agentrx": _agentrx,
    "taubench": _taubench,
}
