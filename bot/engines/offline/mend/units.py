"""A unit of measure in a description exchanged for the one that the source has."""

from __future__ import annotations

import re

from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.comment import comment_of, name_of
from bot.engines.offline.mend.correction import is_list, put
from bot.engines.offline.scene import Scene
from bot.engines.offline.unit_words import clash, spelt, whole_before
from bot.records.change import Edit

# The parts of a description that each speak of one thing.
_CLAUSE = re.compile(r"\S(?:[^.;。；]|[.](?!\s))*[.;。；]?", re.DOTALL)


def in_unit(scene: Scene, faulty: Unit, truth: Unit) -> Edit | None:
    """The unit of the clause that is about the source's column, put right; None where the clause
    names none of the same dimension, or more than one, or figures in it."""
    if is_list(faulty):
        return None
    name = name_of(truth)
    for match in _CLAUSE.finditer(faulty.text):
        if not _about(faulty, match[0], truth):
            continue
        found = clash(match[0], name, comment_of(truth))
        if found is None:
            continue
        rest = match[0][: found.old.start] + match[0][found.old.end :]
        if any(sign.isdigit() for sign in rest):
            return None  # its figures are in the old unit
        start = match.start() + found.old.start
        begin = whole_before(faulty.text, start)
        new = spelt(found, faulty.text)
        new = new[:1].upper() + new[1:] if faulty.text[begin].isupper() else new
        end = match.start() + found.old.end
        if name and name in match[0] and "\\" not in match[0]:
            # With the column's name in it an edit says what it is about.
            new = faulty.text[match.start() : begin] + new + faulty.text[end : match.end()]
            begin, end = match.span()
        return put(scene, faulty, faulty.start + begin, faulty.start + end, new)
    return None


def _about(faulty: Unit, clause: str, truth: Unit) -> bool:
    """Whether a clause speaks of a source: it names its column, or shares a word with its name or
    its comment. What describes a parameter alone speaks of the column it was paired with."""
    if truth.kind == "column" and (faulty.parameter or (name_of(truth) or "\n") in clause):
        return True
    own = set(stems(clause))
    if truth.kind == "column":
        return bool(own & set(stems(name_of(truth))))
    return len(own & set(stems(f"{truth.key} {truth.reading}"))) > 1
