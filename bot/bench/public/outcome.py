"""What an engine and the floors reach on a public set."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

Scores = Mapping[str, float]


class PublicSet(msgspec.Struct, frozen=True):
    """Percentages by who answers, the engine first; `printed` are other people's figures.

    `beaten` names what the engine does not beat.
    """

    name: str
    count: int
    scores: dict[str, dict[str, float]]
    printed: dict[str, dict[str, float]] = {}
    note: str = ""
    beaten: tuple[str, ...] = ()


def not_beaten(scores: Mapping[str, Scores], metrics: tuple[str, ...]) -> tuple[str, ...]:
    """A sentence for each metric in which a floor does at least as well as the engine, which
    comes first."""
    own, *floors = scores
    found = []
    for name in metrics:
        better = [f for f in floors if scores[f].get(name, -1.0) >= scores[own][name]]
        if better:
            best = max(better, key=lambda floor: scores[floor][name])
            found.append(
                f"{len(better)} of {len(floors)} rules of thumb reach the engine's {name} of "
                f"{scores[own][name]:.1f} %, the best is '{best}' with {scores[best][name]:.1f} %."
            )
    return tuple(found)
