"""G4: nothing is added that a reviewer cannot see or read."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from bot.gates.inputs import Inputs, added, removed
from bot.records.change import ChangeSet
from bot.records.plan import GateResult

ALPHABETS_WITH_JOINERS = re.compile(r"[^\x00-\u024f]")
JOINERS = "\u200c\u200d"
# The emoji style of the sign before it; harmless and frequent in headings.
EMOJI_STYLE = "\ufe0f"
OPENERS = re.compile(r"<!-|\bdata:[\w.+-]+/[\w.+-]+[;,]", re.I)
BASE64 = re.compile(r"[A-Za-z0-9+/]{65,}={0,2}")


def hidden(change_set: ChangeSet, _: Inputs) -> GateResult:
    """Blocked where added lines hold invisible signs, comments, data URIs or long base64.

    What the removed lines held already is not new: only the surplus counts.
    """
    for file in change_set.files:
        new, old = "\n".join(added(file)), "\n".join(removed(file))
        surplus = _invisible(new) - _invisible(old)
        if surplus:
            names = ", ".join(f"U+{ord(char):04X}" for char in sorted(surplus))
            return GateResult("G4", "blocked", f"{file.path} would gain hidden text ({names})")
        if _openers(new) - _openers(old):
            return GateResult("G4", "blocked", f"{file.path} would gain a comment or a data URI")
        if _blobs(new) - _blobs(old):
            return GateResult("G4", "blocked", f"{file.path} would gain encoded data")
    return GateResult("G4", "passed")


def _invisible(text: str) -> Counter[str]:
    return Counter(
        char for at, char in enumerate(text) if _is_hidden(char) and not _joins(text, at)
    )


def _is_hidden(char: str) -> bool:
    if char in "\n\r\t" or char == EMOJI_STYLE:
        return False
    if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"):
        return True
    return char in "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0" or (
        "\ufe00" <= char <= "\ufe0e" or "\U000e0100" <= char <= "\U000e01ef"
    )


def _joins(text: str, at: int) -> bool:
    """A joiner between letters of a script that is written with them, or within an emoji."""
    around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    return (
        text[at] in JOINERS and len(around) == 2 and all(map(ALPHABETS_WITH_JOINERS.match, around))
    )


def _openers(text: str) -> Counter[str]:
    return Counter(match.lower() for match in OPENERS.findall(text))


def _blobs(text: str) -> set[str]:
    return {
        run
        for run in BASE64.findall(text)
        if re.search("[A-Z]", run) and re.search("[a-z]", run) and re.search("[0-9]", run)
    }
