"""Text that is wrong, put right by the smallest exact change."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.edit import replace_span
from bot.context.edits.span import replace_words
from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.accord import Slot
from bot.engines.offline.claims import claims
from bot.engines.offline.mend.form import in_form
from bot.engines.offline.mend.passage import passage
from bot.engines.offline.mend.wording import NUMBERED, cited
from bot.engines.offline.scene import Scene
from bot.errors import EditRefused
from bot.provenance.value import Value, comparable, nearness, same
from bot.provenance.values import values
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_TELLING = ("money", "percent", "duration", "date", "time", "measure", "url", "email", "phone")
ALIGNED = 0.6  # share of the words around two values, from which they are of one thing
_ALIKE = 0.2  # share of a text's rare words


def correct(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """One value exchanged where one value is wrong, else the statement of the authority."""
    if faulty is None:
        return ()
    exchanged = swap(scene, faulty, truth) if truth is not None else None
    if exchanged is not None:
        old, new = exchanged
        start = faulty.start + old.start
        others = _beside(scene, faulty, truth, old) if truth is not None else []
        if others:
            return (put(scene, faulty, *_rewritten(faulty, [exchanged, *others])),)
        first = put(scene, faulty, start, start + len(old.text), new)
        return (first, *_siblings(scene, faulty, old, new))
    if truth is None or not _about_one_thing(scene, faulty, truth):
        return ()
    said = cited(*passage(scene.index, truth))
    if faulty.cells and faulty.text.startswith("|"):
        cells = _row(faulty, truth) or [*faulty.cells[:-1], said.replace("|", "\\|")]
        row = "| " + " | ".join(cells) + " |"
        return (put(scene, faulty, faulty.start, faulty.end, row),)
    return (put(scene, faulty, faulty.start, faulty.end, said),)


def _about_one_thing(scene: Scene, faulty: Unit, truth: Unit) -> bool:
    """Whether the source may take the place of a text, and does not speak of something else."""
    own, theirs = (frozenset(stems(f"{u.key} {u.reading}")) for u in (faulty, truth))
    same_place = frozenset(stems(" ".join(faulty.headings[-1:]))) & theirs
    return scene.index.coverage(own, theirs) >= _ALIKE or bool(same_place)


def put(scene: Scene, unit: Unit, start: int, end: int, new: str, *, raw: bool = False) -> Edit:
    """New text in the place of a span of the file, written as the string around it needs it;
    `raw` for text that is written so already."""
    text = scene.index.repo.texts[unit.path]
    replace = replace_span if raw else replace_words
    return replace(unit.path, text, start, end, new)


def is_list(unit: Unit) -> bool:
    """Whether a unit is a list of a data file, which no sentence may take the place of."""
    return unit.kind in ("tool", "term") and unit.text[:1] in ("[", "-")


def swap(scene: Scene, faulty: Unit, truth: Unit) -> tuple[Value, str] | None:
    """The one value of the faulty text that the truth has otherwise, and its new form."""
    own = tuple(v for v in values(faulty.text) if v.start >= _numbering(faulty.text))
    theirs = tuple(v for v in values(truth.text) if v.start >= _numbering(truth.text))
    wrong = [v for v in own if not any(same(v, w) for w in theirs)]
    right = [w for w in theirs if not any(same(v, w) for v in own)]
    wanted = claims((*scene.talk.complaint, *scene.talk.admission)).values
    pairs = [
        (v, w)
        for v in wrong
        for w in right
        if comparable(v, w) and (nearness(v, w) > 0 or any(same(w, x) for x in wanted))
    ]
    if not pairs:
        return None
    said = claims([s for view in scene.rounds for s in view.round.answer]).values

    slots = _slots(scene, faulty, truth)

    def telling(pair: tuple[Value, Value]) -> tuple[int, int, float]:
        old, new = pair
        alike = (s.alike for s in slots if same(s.first, old) and same(s.second, new))
        asked = sum(same(new, v) for v in wanted)
        return (asked, sum(same(old, v) for v in said), max(alike, default=0.0))

    best = max(pairs, key=telling)
    # A code or a bare number may be anything; it is exchanged only for one that was asked for, or
    # that stands among the same words.
    plain = best[0].kind in _TELLING
    lone = telling(best)[0] == 0 and telling(best)[2] < ALIGNED
    if lone and (not plain or len(pairs) > 1):
        return None
    # A value that the agent never said is wrong only where the source speaks of the same thing.
    if telling(best)[1] == 0 and not _about_one_thing(scene, faulty, truth):
        return None
    return best[0], in_form(*best)


def _beside(scene: Scene, faulty: Unit, truth: Unit, old: Value) -> list[tuple[Value, str]]:
    """The other values of a text that its source has otherwise, each among the same words: half
    of what is wrong is not put right alone."""
    slots = [s for s in _slots(scene, faulty, truth) if s.alike >= ALIGNED]
    found = []
    for value in values(faulty.text):
        own = [s.second for s in slots if same(s.first, value) and nearness(s.first, s.second) > 0]
        apart = value.start >= old.start + len(old.text) or value.end <= old.start
        if apart and value.kind in _TELLING and len(own) == 1:
            found.append((value, in_form(value, own[0])))
    return found


def _rewritten(faulty: Unit, exchanged: Sequence[tuple[Value, str]]) -> tuple[int, int, str]:
    """The span from the first to the last of the values, and it with the new ones."""
    ordered = sorted(exchanged, key=lambda pair: pair[0].start)
    begin, end = ordered[0][0].start, ordered[-1][0].end
    text, at = "", begin
    for value, new in ordered:
        text += faulty.text[at : value.start] + new
        at = value.start + len(value.text)
    return faulty.start + begin, faulty.start + end, text


def _slots(scene: Scene, faulty: Unit, truth: Unit) -> tuple[Slot, ...]:
    units = scene.index.units
    return scene.library.accords.slots(units.index(faulty), units.index(truth))


def _numbering(text: str) -> int:
    """How long the number of a paragraph at the start of a text is."""
    match = NUMBERED.match(text)
    return match.end() if match else 0


def _siblings(scene: Scene, faulty: Unit, old: Value, new: str) -> list[Edit]:
    """The same statement in other files, so that one change set mends them together."""
    edits: list[Edit] = []
    words, _, bare = scene.near(scene.index.units.index(faulty))
    for other, unit in enumerate(scene.index.units):
        alike = words[other] > 6.0 and bare[other] > 3.0
        if unit.path == faulty.path or not alike or unit.type not in ("kb_entry", "skill"):
            continue
        if scene.library.standings[unit.path].status == "draft":
            continue
        stale = next((v for v in values(unit.text) if same(v, old) and v.text == old.text), None)
        if stale is not None:
            start = unit.start + stale.start
            try:
                edits.append(put(scene, unit, start, start + len(stale.text), new))
            except EditRefused:
                continue
    return edits[:3]


def _row(faulty: Unit, truth: Unit) -> list[str] | None:
    """The cells of a row of the same form, under the key that stands."""
    if len(truth.cells) != len(faulty.cells):
        return None
    return [faulty.cells[0], *truth.cells[1:]]
