"""Whether what was said names a unit's file by its title, and whether a call names it."""

from __future__ import annotations

from bot.engines.offline.scene import Scene
from bot.provenance.seen import names_word


def measure(scene: Scene, number: int, role: str, unit: int) -> dict[str, float]:
    """Shares of the title's rare words in each voice; whether the unit names a tool that the round
    called."""
    view, index = scene.rounds[number], scene.index
    named, share = index.title_words(index.units[unit].path), index.coverage
    return {
        f"{role}_title_question": share(named, view.asked_stems),
        f"{role}_title_answer": share(named, view.stems - view.asked_stems),
        f"{role}_title_complaint": share(named, scene.complaint_stems),
        f"{role}_names_call": float(_names_call(scene, number, unit)),
    }


def _names_call(scene: Scene, number: int, unit: int) -> bool:
    nodes = scene.trajectory.nodes
    tools = (nodes[p].tool for p in scene.rounds[number].round.nodes)
    called = {tool.name.rsplit(".", 1)[-1] for tool in tools if tool is not None}
    text = scene.index.units[unit].text
    return any(len(name) > 3 and names_word(text, name) for name in called)
