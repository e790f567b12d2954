"""The clause of a description that is about a source's matter, in the source's words."""

from __future__ import annotations

import re

from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.comment import comment_of, name_of
from bot.engines.offline.mend.correction import is_list, put
from bot.engines.offline.mend.wording import cited
from bot.engines.offline.scene import Scene
from bot.records.change import Edit

# A description often opens a sentence with the small letter of a column's name.
_CLAUSE = re.compile(r"\S(?:[^.;]|[.;](?!\s))*[.;]?", re.DOTALL)
_SHARED = 2  # rare words in common, from which on two texts are about one thing
_ALIKE = 0.3  # share of a text that another has, from which prose may take a clause's place
_NAMED = 5  # words that a column's name counts for
_COLUMNS = re.compile(r"\b[a-z]+_\w+\b")
# Where a clause goes on to another column.
_NEXT = re.compile(r"(?:,|\s(?:and|und|y|e|et|en))\s+(?=[`'\"]?[a-z]+_\w+\b)")
_VERBATIM = re.compile(r"[\W\d]|[A-Z]{2}|\w*_\w")
_VALUES = 3  # items of one or two words, from which a comment is a list of values


def reworded(scene: Scene, faulty: Unit, truth: Unit) -> tuple[Edit, ...]:
    """The one clause about the source's matter exchanged for what the source says; beside a list,
    which no sentence takes the place of, a sentence more."""
    unit = _beside(scene, faulty) if is_list(faulty) else faulty
    place = _place(scene, unit, truth)
    if place is None:
        return ()
    begin, end = place
    if is_list(faulty):
        return (put(scene, unit, unit.end, unit.end, f" {cited(truth)}"),)
    clause = unit.text[begin:end]
    comment = _whole(scene, truth)
    if truth.type != "schema_hint" or not comment:
        own, theirs = (frozenset(stems(text)) for text in (clause, truth.reading))
        shared = max(scene.index.coverage(own, theirs), scene.index.coverage(theirs, own))
        if shared < _ALIKE:
            return ()
        return (put(scene, unit, unit.start + begin, unit.start + end, cited(truth)),)
    if _says(clause, comment) or _of_values(comment):
        return ()
    new = _worded(unit, clause, name_of(truth), comment)
    return (put(scene, unit, unit.start + begin, unit.start + end, new),)


def _worded(unit: Unit, clause: str, name: str, comment: str) -> str:
    """A comment in the form of a clause: behind the column's name where the clause has that, by
    itself where the clause describes the parameter alone."""
    end = clause[-1] if clause[-1] in ".;" else ""
    said = comment.rstrip(" .;")
    if not name or (unit.parameter and not _named(clause, name)):
        first = said if _VERBATIM.match(said) else said[:1].upper() + said[1:]
        return f"{first}{end}"
    return f"{name}: {said}{end}"


def _says(clause: str, comment: str) -> bool:
    """Whether a clause has all the words of a comment, so that nothing would be put right."""
    return set(stems(comment)) <= set(stems(clause))


def _of_values(comment: str) -> bool:
    """Whether a comment only lists values, which make no sentence."""
    items = re.split(r"\s*[,;|/、；，]\s*", comment.rstrip(" ."))
    return len(items) >= _VALUES and all(len(item.split()) <= 2 for item in items)


def _whole(scene: Scene, truth: Unit) -> str:
    """The comment without the beginning of a sentence that goes on in the next line."""
    comment = comment_of(truth)
    text = scene.index.repo.texts[truth.path]
    _, _, after = text[truth.end :].partition("\n")
    mark = truth.text[:2]
    goes_on = mark in ("--", "//") and after.lstrip().startswith(mark)
    full = comment.rfind(". ")
    return comment[: full + 1] if goes_on and full > 0 and comment[-1] not in ".!?)" else comment


def _place(scene: Scene, unit: Unit, truth: Unit) -> tuple[int, int] | None:
    """The part of a description that is about what the source is about; None where none is."""
    if truth.type == "schema_hint" and truth.kind == "column" and not comment_of(truth):
        return None
    key = name_of(truth)
    clauses = [match.span() for match in _CLAUSE.finditer(unit.text)]
    source = set(stems(f"{truth.key} {truth.reading}"))
    best: tuple[int, tuple[int, int]] | None = None
    for begin, end in clauses:
        part = unit.text[begin:end]
        shared = len(source & set(stems(part))) + (_NAMED if key and key in part else 0)
        if shared >= _SHARED and (best is None or shared > best[0]):
            best = shared, (begin, end)
    if best is None:
        return clauses[0] if len(clauses) == 1 and _of_parameter(unit, truth) else None
    begin, end = best[1]
    return _part(unit.text, begin, end, key) if key else (begin, end)


def _part(text: str, begin: int, end: int, name: str) -> tuple[int, int] | None:
    """Of a clause about several columns the part that begins with one's name; the whole clause
    where it has no such name, and None where it only ends with it: that says something else."""
    named = _named(text[begin:end], name)
    if named is None or not _COLUMNS.search(text[begin:end]):
        return begin, end
    start = begin + named.start()
    following = _NEXT.search(text, begin + named.end(), end)
    until = following.start() if following else end
    alone = text[begin + named.end() : until].strip(" .;`'\"")
    return (start, until) if alone else None


def _named(clause: str, name: str) -> re.Match[str] | None:
    return re.search(rf"[`'\"]?(?<!\w){re.escape(name)}(?!\w)[`'\"]?", clause)


def _of_parameter(unit: Unit, truth: Unit) -> bool:
    """Whether a description belongs to the parameter that fills a column: by a name in common."""
    if not unit.parameter or not name_of(truth):
        return False
    own, theirs = (set(stems(name)) for name in (unit.parameter, name_of(truth)))
    return bool(own & theirs)


def _beside(scene: Scene, unit: Unit) -> Unit:
    """The sentence that describes what a list belongs to: its parameter, else its tool."""
    own = [scene.index.units[n] for n in scene.index.by_path[unit.path]]
    prose = [u for u in own if u.tool == unit.tool and not is_list(u)]
    same_one = [u for u in prose if u.parameter == unit.parameter]
    return (same_one or prose or [unit])[-1]
