"""Where the time of a run goes, by module, as shares: seconds say more about the machine."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bot
from bot.bench.table import Table

ROOT = Path(bot.__file__).parent.parent
PACKAGES = ("bot", "context_repo_schema")
SHOWN = 14

Function = tuple[str, int, str]  # file, line, name, as `pstats` has it
Timings = Mapping[Function, tuple[int, int, float, float, Mapping[Function, tuple[Any, ...]]]]


def shares(run: Callable[[], object]) -> dict[str, float]:
    """Module to its share of the time, largest first. What a module of ours calls elsewhere
    (built-ins, libraries) counts as its own."""
    profile = cProfile.Profile()
    profile.runcall(run)
    timings: Timings = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    owners = Owners(timings)
    spent: dict[str, float] = {}
    for function, (_, _, own, _, _) in timings.items():
        for module, part in owners.of(function).items():
            spent[module] = spent.get(module, 0.0) + own * part
    total = sum(spent.values()) or 1.0
    return {m: round(s / total, 4) for m, s in sorted(spent.items(), key=lambda item: -item[1])}


class Owners:
    """Which modules of ours a function works for, as shares that sum to 1 or less."""

    def __init__(self, timings: Timings) -> None:
        self._timings = timings
        self._known: dict[Function, dict[str, float]] = {}

    def of(self, function: Function) -> dict[str, float]:
        """Its own module, else those of its callers by the time it took for each."""
        if function not in self._known:
            self._known[function] = {}  # a call that leads back here adds nothing
            module = module_of(function[0])
            self._known[function] = {module: 1.0} if module else self._callers(function)
        return self._known[function]

    def _callers(self, function: Function) -> dict[str, float]:
        callers = self._timings[function][4]
        total = sum(timing[2] for timing in callers.values())
        found: dict[str, float] = {}
        for caller, timing in callers.items():
            for module, part in self.of(caller).items():
                weight = timing[2] / total if total else 1 / len(callers)
                found[module] = found.get(module, 0.0) + part * weight
        return found


def module_of(file: str) -> str:
    """`bot/context/search` for a file of ours, nothing for another."""
    try:
        place = Path(file).relative_to(ROOT)
    except ValueError:
        return ""
    return place.with_suffix("").as_posix() if place.parts[0] in PACKAGES else ""


def table(found: Mapping[str, float]) -> Table:
    """The largest shares; the rest in one row."""
    rows = [(name, f"{100 * share:.1f}") for name, share in list(found.items())[:SHOWN]]
    rest = 100 * sum(list(found.values())[SHOWN:])
    return Table(
        "Where the time goes",
        ("module, with what it calls in libraries", "percent"),
        (*rows, (f"{max(len(found) - SHOWN, 0)} others", f"{rest:.1f}")),
        "One run under a profiler, reading the repository and indexing it included; the profiler "
        "slows many short calls more than few long ones.",
    )
