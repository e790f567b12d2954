"""How strongly the session's voices pull on the truth and on the faulty unit."""

from __future__ import annotations

import math

from bot.engines.offline.features.scale import squash
from bot.engines.offline.scene import Scene


def measure(scene: Scene, number: int, role: str, unit: int) -> dict[str, float]:
    """Pulls, their ranks, and how the values of each voice stand in the unit."""
    view = scene.rounds[number]
    voices = {
        "complaint": scene.complaint,
        "admission": scene.admission,
        "matter": view.matter,
        "exchange": view.exchange,
        "whole": view.whole,
        "question": view.question,
        "answer": view.answer,
        "thoughts": view.thoughts,
        "searches": view.searches,
    }
    found = {f"{role}_{scene.index.units[unit].type}": 1.0}
    for name, voice in voices.items():
        found[f"{role}_{name}_words"] = squash(voice.lexical[unit])
        found[f"{role}_{name}_sense"] = squash(voice.semantic[unit])
        found[f"{role}_{name}_bare"] = squash(voice.bare[unit])
    near = ("complaint", "matter", "whole") if role == "truth" else ("answer", "exchange", "whole")
    for name in near:
        found[f"{role}_rank_{name}"] = -math.log1p(voices[name].rank[unit])
    common, own = scene.library.common, scene.library.claims[unit]
    found[f"{role}_has_wanted"] = common.shared(scene.wanted, own)
    found[f"{role}_has_said"] = common.shared(view.said, own)
    found[f"{role}_has_admitted"] = common.shared(scene.admitted, own)
    found[f"{role}_has_asked"] = common.shared(view.asked, own)
    return found
