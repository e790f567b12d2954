"""G3: the bytes stay UTF-8, without a new byte order mark, with the file's own line ends."""

from __future__ import annotations

import re

from bot.gates.inputs import Inputs
from bot.records.change import ChangeSet
from bot.records.plan import GateResult

BOM = "\ufeff"
NEWLINE = re.compile(r"\r\n|\r|\n")


def encoding(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Blocked where a new text cannot be written, gains a BOM, or mixes line ends anew."""
    for file in change_set.files:
        reason = _fault(inputs.repo.texts.get(file.path), file.new_text)
        if reason:
            return GateResult("G3", "blocked", f"{file.path} {reason}")
    return GateResult("G3", "passed")


def _fault(old: str | None, new: str | None) -> str:
    if new is None:
        return ""
    try:
        new.encode("utf-8")
    except UnicodeEncodeError:
        return "would not be UTF-8"
    if new.count(BOM) > (old or "").count(BOM):
        return "would gain a byte order mark"
    ends = set(NEWLINE.findall(new))
    known = set(NEWLINE.findall(old or ""))
    if len(ends) > 1 and not ends <= known:
        return "would mix line ends"
    if known and not ends <= known:
        return "would change its line ends"
    return ""
