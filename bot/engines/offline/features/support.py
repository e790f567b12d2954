"""How strongly the session's voices pull on the truth and on the faulty unit."""

from __future__ import annotations

import math

from bot.engines.offline.candidate import Candidate
from bot.engines.offline.features.scale import squash
from bot.engines.offline.pull import Pull
from bot.engines.offline.scene import Scene


def measure(scene: Scene, candidate: Candidate) -> dict[str, float]:
    """Pulls, their ranks, and how the values of each voice stand in the units."""
    found: dict[str, float] = {}
    view = scene.rounds[candidate.round]
    voices = {
        "complaint": scene.complaint,
        "admission": scene.admission,
        "question": view.question,
        "answer": view.answer,
        "thoughts": view.thoughts,
        "searches": view.searches,
    }
    for role, unit in (("truth", candidate.truth), ("faulty", candidate.faulty)):
        if unit is None:
            found[f"{role}_missing"] = 1.0
            continue
        for name, voice in voices.items():
            found[f"{role}_{name}_words"] = squash(voice.lexical[unit])
            found[f"{role}_{name}_sense"] = squash(voice.semantic[unit])
        found.update(_values(scene, candidate, role, unit))
        found[f"{role}_{scene.index.units[unit].kind}"] = 1.0
        found[f"{role}_{scene.index.units[unit].type}"] = 1.0
    if candidate.truth is not None:
        found["truth_rank"] = -_rank(scene.complaint, candidate.truth)
        found["truth_rank_question"] = -_rank(view.question, candidate.truth)
    if candidate.faulty is not None:
        found["faulty_rank"] = -_rank(view.answer, candidate.faulty)
        found["faulty_rank_thoughts"] = -_rank(view.thoughts, candidate.faulty)
    return found


def _rank(voice: Pull, unit: int) -> float:
    return math.log1p(voice.rank[unit])


def _values(scene: Scene, candidate: Candidate, role: str, unit: int) -> dict[str, float]:
    view = scene.rounds[candidate.round]
    common, own = scene.library.common, scene.library.claims[unit]
    return {
        f"{role}_has_wanted": common.shared(scene.wanted, own),
        f"{role}_has_said": common.shared(view.said, own),
        f"{role}_has_admitted": common.shared(scene.admitted, own),
        f"{role}_has_asked": common.shared(view.asked, own),
    }
