"""Whether a unit is in the language of the talk: what is in it is near to it by that alone."""

from __future__ import annotations

from bot.engines.offline.scene import Scene


def measure(scene: Scene, number: int, role: str, unit: int) -> dict[str, float]:
    """1 for the language of the talk, -1 for another one, 0 where either is not known."""
    own, theirs = scene.tongue, scene.library.tongue(scene.index.units[unit].path)
    if own is None or theirs is None:
        return {f"{role}_tongue": 0.0}
    return {f"{role}_tongue": 1.0 if own == theirs else -1.0}
