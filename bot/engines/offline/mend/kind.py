"""Whether two values that differ are values of one thing."""

from __future__ import annotations

import re

from bot.context.unit import Unit
from bot.engines.offline.claims import claims
from bot.engines.offline.code_lists import is_keyword
from bot.engines.offline.mend.correction import ALIGNED
from bot.engines.offline.scene import Scene
from bot.provenance.value import Value, same
from bot.provenance.values import values


def of_a_kind(scene: Scene, faulty: Unit, truth: Unit, exchanged: tuple[Value, str]) -> bool:
    """Whether a value may take another's place in a description: both have one form, and the same
    words stand around them, or somebody asked for the new one."""
    old, text = exchanged
    if is_keyword(text) or _form(old.text) != _form(text):
        return False
    new = next((v for v in values(truth.text) if v.text == text or text in v.text), None)
    new = new or next((v for v in values(text)), None)
    if new is None or new.kind != old.kind:
        return False
    wanted = claims((*scene.talk.complaint, *scene.talk.admission)).values
    if any(same(new, v) for v in wanted):
        return True
    units = scene.index.units
    slots = scene.library.accords.slots(units.index(faulty), units.index(truth))
    alike = [s.alike for s in slots if same(s.first, old) and same(s.second, new)]
    return max(alike, default=0.0) >= ALIGNED


def _form(text: str) -> str:
    """Whether a text is a name in parts, capitals, a figure, or words."""
    if re.fullmatch(r"[a-z]+(?:_[a-z0-9]+)+", text):
        return "name"
    if re.fullmatch(r"[A-Z][A-Z0-9_-]*", text):
        return "capitals"
    return "figure" if re.search(r"\d", text) else "words"
