"""What is measured of a hypothesis: plain numbers with names, one module a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.engines.offline import tone
from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features import (
    absence,
    accord,
    alignment,
    authority,
    conflict,
    kinship,
    node,
    none,
    support,
    title,
    tongue,
    tool,
    truth,
    whole,
)
from bot.engines.offline.scene import Scene

Features = dict[str, float]

BY_ROUND: dict[str, Callable[[Scene, int], Features]] = {
    "place": node.place,
    "sight": absence.sight,
    "sound": none.sound,
}
BY_UNIT: dict[str, Callable[[Scene, int, str, int], Features]] = {
    "support": support.measure,
    "truth": truth.measure,
    "title": title.measure,
    "tongue": tongue.measure,
}
BY_CANDIDATE: dict[str, Callable[[Scene, Candidate], Features]] = {
    "node": node.measure,
    "conflict": conflict.measure,
    "accord": accord.measure,
    "alignment": alignment.measure,
    "whole": whole.measure,
    "authority": authority.measure,
    "absence": absence.measure,
    "kinship": kinship.measure,
    "tool": tool.measure,
    "outage": none.outage,
    "tone": lambda scene, candidate: tone.features(scene.sounds, candidate.shape),
}

# What each group of measures is for, so that an ablation can take it away.
GROUPS: Mapping[str, frozenset[str]] = {
    "provenance": frozenset(
        {"place", "node", "sight", "sound", "tool", "outage"}
    ),  # what was shown
    # what the repository says besides
    "exploration": frozenset(
        {"truth", "conflict", "accord", "absence", "kinship", "alignment", "whole"}
    ),
    "authority": frozenset({"authority"}),  # which of two sources is to be believed
    "semantics": frozenset(
        {"support", "title", "tongue", "tone"}
    ),  # how near what was said comes to what stands
}


def measure(
    scene: Scene, candidates: Sequence[Candidate], off: frozenset[str] = frozenset()
) -> list[Features]:
    """The features of every hypothesis; `off` names measures to leave out (for ablation)."""
    rounds: list[Features] = []
    for number in range(len(scene.rounds)):
        shared: Features = {"bias": 1.0}
        for name, of_round in BY_ROUND.items():
            if name not in off:
                shared.update(of_round(scene, number))
        rounds.append(shared)
    of_units: dict[tuple[int, str, int], Features] = {}
    found: list[Features] = []
    for candidate in candidates:
        own = dict(rounds[candidate.round])
        for role, unit in (("truth", candidate.truth), ("faulty", candidate.faulty)):
            if unit is None:
                own[f"{role}_missing"] = 1.0
                continue
            key = (candidate.round, role, unit)
            if key not in of_units:
                of_units[key] = _of_unit(scene, key, off)
            own.update(of_units[key])
        for name, of_candidate in BY_CANDIDATE.items():
            if name not in off:
                own.update(of_candidate(scene, candidate))
        found.append(own)
    return found


def _of_unit(scene: Scene, key: tuple[int, str, int], off: frozenset[str]) -> Features:
    features: Features = {}
    for name, of_unit in BY_UNIT.items():
        if name not in off:
            features.update(of_unit(scene, *key))
    return features
