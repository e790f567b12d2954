"""Which units may settle a session: for all of it, against one statement, as a standing rule.

Each list is cut where the right unit was hardly ever lost on the training suites, so that a
session stays quick.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engines.offline.scene import RoundView, Scene

TRUTHS, DATA = 20, 4  # by what was said: of all units, of those of schemas and data files
PAIRS, LIKE, CLASHES, KEYED = 5, 40, 4, 3  # against one statement
RULES = 20  # of documents that bind whoever answers
RULING = 1  # the last rank that rules: policies and procedures, not what describes
_SKIPPED = ("meta", "term")


def truth_units(scene: Scene) -> tuple[int, ...]:
    """Units that may say what the user says: the best by the complaint, by the complaint with
    its question, and by all that was said."""
    index, library = scene.index, scene.library
    able = [n for n, u in enumerate(index.units) if u.kind not in _SKIPPED]

    def told(number: int) -> float:
        said = scene.complaint.of(number) + 0.5 * scene.admission.of(number)
        value = library.common.shared(scene.wanted, library.claims[number])
        return said + 0.4 * max(v.matter.of(number) for v in scene.rounds) + 3.0 * value

    def meant(number: int) -> float:
        return max(view.matter.of(number) for view in scene.rounds)

    def around(number: int) -> float:
        return max(view.whole.of(number) for view in scene.rounds)

    found: dict[int, None] = {}
    for score in (told, meant, around):
        found.update(dict.fromkeys(sorted(able, key=lambda n: -score(n))[:TRUTHS]))
    data = [n for n in able if index.units[n].type == "schema_hint"]
    for score in (meant, around):
        found.update(dict.fromkeys(sorted(data, key=lambda n: -score(n))[:DATA]))
    return tuple(found)


def rivals(
    scene: Scene, view: RoundView, faulty: int, alike: Sequence[float], truths: Sequence[int]
) -> tuple[int, ...]:
    """The units that may be right where one is wrong. `alike` is how near each unit is to it."""
    units = scene.index.units
    able = [n for n, u in enumerate(units) if n != faulty and u.kind not in _SKIPPED]
    nearest = sorted(able, key=lambda n: -alike[n])
    said = sorted(
        (t for t in truths if t != faulty),
        key=lambda t: -(alike[t] + view.matter.of(t) + 0.5 * scene.complaint.of(t)),
    )
    slots = ((n, scene.library.accords.slots(faulty, n)) for n in nearest[:LIKE])
    clash = {n: max(slot.size for slot in found) for n, found in slots if found}
    apart = sorted(clash, key=lambda n: -clash[n])
    known = _named(scene, faulty)
    named = [n for n in nearest if n in known]

    def keyed(number: int) -> float:
        exact = scene.index.keys[number] == scene.index.keys[faulty]
        return alike[number] + 3.0 * exact + 2.0 * (units[number].type == "schema_hint")

    named.sort(key=lambda n: -keyed(n))
    lists = (said[:PAIRS], nearest[:PAIRS], apart[:CLASHES], named[:KEYED])
    return tuple(dict.fromkeys(n for one in lists for n in one))


def _named(scene: Scene, faulty: int) -> set[int]:
    """The units that name the row, column or parameter which one is about, or that are about
    what it names."""
    keys, words = scene.index.keys, scene.index.words
    own, said = keys[faulty], words[faulty]
    found = {n for n in scene.index.keyed if keys[n] <= said}
    return found | {n for n, held in enumerate(words) if own and own <= held}


def rules(scene: Scene, view: RoundView) -> tuple[int, ...]:
    """Sentences of documents that bind whoever answers, nearest to what was said first."""
    units, standings = scene.index.units, scene.library.standings

    def score(number: int) -> float:
        return max(view.matter.of(number), view.whole.of(number), scene.complaint.of(number))

    bound = {units[n].path for n in scene.library.binding}
    able = [
        n
        for n, u in enumerate(units)
        if u.path in bound
        and (u.type, u.kind) == ("kb_entry", "sentence")
        and standings[u.path].rank <= RULING
    ]
    return tuple(sorted(able, key=lambda n: -score(n))[:RULES])
