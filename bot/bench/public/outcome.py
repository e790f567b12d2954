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
    """A sentence for each floor that does at least as well as the engine, which comes first."""
    own, *floors = scores
    return tuple(
        f"'{floor}' reaches {name} {scores[floor][name]:.1f} %, "
        f"the engine {scores[own][name]:.1f} %."
        for name in metrics
        for floor in floors
        if name in scores[floor] and scores[floor][name] >= scores[own][name]
    )
