"""How the file to change stands as a whole: what other files confirm and refute of it."""

from __future__ import annotations

import math

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features.accord import rebuttal
from bot.engines.offline.scene import Scene

MOST = 60  # units of a file that are looked at, from the first on
SURE = 0.5  # from which a unit counts as confirmed or refuted


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """The shares of a document's units that files of at least its rank confirm and refute."""
    component = scene.index.repo.component(candidate.path or "")
    if component is None or component.type not in ("kb_entry", "skill"):
        return {}
    known = scene.library.wholes
    if component.path not in known:
        known[component.path] = _whole(scene, component.path)
    return known[component.path]


def _whole(scene: Scene, path: str) -> dict[str, float]:
    units = scene.index.units
    numbers = [
        n for n in scene.index.by_path.get(path, ()) if units[n].kind not in ("meta", "term")
    ][:MOST]
    found = [rebuttal(scene, number) for number in numbers]
    size = len(found) or 1
    return {
        "whole_confirmed": sum(one.confirmed >= SURE for one in found) / size,
        "whole_refuted": sum(one.refuted >= SURE for one in found) / size,
        "whole_opposed": sum(one.opposed >= SURE for one in found) / size,
        "whole_size": math.log1p(len(found)),
    }
