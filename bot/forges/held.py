"""What keeps a proposal from being opened by what the plan and the configuration say alone."""

from __future__ import annotations

import msgspec

from bot.gates.size import removes_a_file
from bot.records.change import ChangeSet, Hold
from bot.records.plan import Action
from bot.settings import Settings

ACTIONS: dict[Hold | None, Action] = {
    None: "skipped",
    "evidence": "skipped",
    "gate": "blocked",
    "limit": "queued",
}
PREVIEW = "the configuration says mode: preview; mode: propose opens pull requests"
REMOVAL = "a whole file would be removed; set allow_file_delete: true to propose that"


class Held(msgspec.Struct, frozen=True):
    """What is reported of a proposal that stays closed, and why."""

    action: Action
    reason: str


def held_back(unit: ChangeSet, settings: Settings) -> Held | None:
    """Why the unit may not be opened whatever GitHub has; None where it may."""
    if unit.state == "candidate":
        return Held(ACTIONS[unit.hold], unit.reasons[0] if unit.reasons else "below the bar")
    if removes_a_file(unit) and not settings.limits.allow_file_delete:
        return Held("blocked", REMOVAL)
    if settings.publishing.mode == "preview":
        return Held("skipped", PREVIEW)
    return None
