"""Which engines a run compares: one by name, or one that every suite was held out from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from bot.bench.about import about
from bot.bench.run import Build, Lineup
from bot.bench.suite import Suite
from bot.engines.offline import train
from bot.engines.offline.engine import OfflineEngine, Parts, packaged
from bot.engines.offline.examples import examples
from bot.engines.offline.features import GROUPS
from bot.errors import ConfigError


def shipped(name: str, build: Build, ablated: Sequence[str]) -> Callable[[Suite], Lineup]:
    """The engine of that name for every suite. Raises `ConfigError` where it has no such parts."""
    if ablated and name != "offline":
        raise ConfigError(
            f"--ablate takes parts of the offline engine away; the engine {name!r} has none of "
            "them, so leave out one of the two options"
        )
    without = _without(packaged(), ablated) if ablated else {}
    return lambda suite: Lineup(build, without)


def seen(suites: Sequence[Suite]) -> str:
    """Which of the suites the shipped weights were learned from, in a paragraph."""
    learned = packaged().weights.made_from
    known = [suite.name for suite in suites if suite.name in learned]
    told = (
        f"of the suites here they saw {', '.join(known)}." if known else "they saw none of these."
    )
    return about("shipped", {"learned": ", ".join(learned), "seen": told})


def held_out(suites: Sequence[Suite], ablated: Sequence[str]) -> Callable[[Suite], Lineup]:
    """For each suite the offline engine as suites of other folds teach it (words alone).

    Weights, trees, tone and calibrations never saw the suite. The detector's weights and the
    choice of features did. Raises `ConfigError` for fewer than three suites.
    """
    if len(suites) < 3:
        raise ConfigError("hold-out needs three suites or more: one to score, others to learn from")
    found = [e for suite in suites for e in examples(suite.root, None, frozenset())]
    made = train.held_out(found, "lexical").parts

    def lineup(suite: Suite) -> Lineup:
        parts = made[suite.name]
        return Lineup(partial(OfflineEngine, parts), _without(parts, ablated))

    return lineup


def _without(parts: Parts, ablated: Sequence[str]) -> dict[str, Build]:
    """The engine without each of the groups, with the weights that it has: nothing is relearned."""
    return {
        name: partial(OfflineEngine, msgspec.structs.replace(parts, off=GROUPS[name]))
        for name in ablated
    }
