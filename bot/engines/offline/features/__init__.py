"""What is measured of a hypothesis: plain numbers with names, one module a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features import absence, authority, conflict, node, none, support
from bot.engines.offline.scene import Scene

Features = dict[str, float]

BY_ROUND: dict[str, Callable[[Scene, int], Features]] = {
    "place": node.place,
    "sight": absence.sight,
    "sound": none.sound,
}
BY_CANDIDATE: dict[str, Callable[[Scene, Candidate], Features]] = {
    "node": node.measure,
    "support": support.measure,
    "conflict": conflict.measure,
    "authority": authority.measure,
    "absence": absence.measure,
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
    found: list[Features] = []
    for candidate in candidates:
        own = dict(rounds[candidate.round])
        for name, of_candidate in BY_CANDIDATE.items():
            if name not in off:
                own.update(of_candidate(scene, candidate))
        found.append(own)
    return found
