"""Which mender serves which explanation."""

from __future__ import annotations

from collections.abc import Callable

from bot.context.unit import Unit
from bot.engines.offline.mend import addition, correction, routing, tool
from bot.engines.offline.scene import Scene
from bot.records.change import Edit
from bot.records.finding import FaultCategory, Hypothesis

Mender = Callable[[Scene, Hypothesis, Unit | None, Unit | None], tuple[Edit, ...]]

MENDERS: dict[FaultCategory, Mender] = {
    "SKILL_FILE_STALE": correction.correct,
    "KB_CONTENT_STALE": correction.correct,
    "TOOL_PROMPT_ERROR": tool.describe,
    "KB_CONTENT_GAP": addition.add,
    "SYSTEM_PROMPT_GAP": addition.add,
    "RETRIEVAL_FAILURE": routing.route,
}


def mend(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """The edits that a hypothesis asks for."""
    if chosen.operation == "DELETE":
        return (Edit(chosen.component_path or "", "DELETE"),)
    mender = MENDERS.get(chosen.category)
    return mender(scene, chosen, faulty, truth) if mender is not None else ()
