"""Text that is wrong, put right by the smallest exact change."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

from bot.context.edit import replace_span
from bot.context.unit import Unit
from bot.engines.offline.claims import claims
from bot.engines.offline.mend.form import in_form
from bot.engines.offline.scene import Scene
from bot.errors import EditRefused
from bot.provenance.value import Value, comparable, same
from bot.provenance.values import values
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_OPEN = "(to be confirmed by the owner of this page: users report another answer)"


def correct(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """One value exchanged where one value is wrong, else the statement of the authority."""
    if faulty is None:
        return ()
    text = scene.index.repo.texts[faulty.path]
    if truth is None:
        new = f"{faulty.text} {_OPEN}" if not faulty.cells else _noted_row(faulty.text)
        return (_put(faulty, text, faulty.start, faulty.end, new),)
    swap = _swap(scene, faulty, truth)
    if swap is not None:
        old, new = swap
        start = faulty.start + old.start
        edits = [_put(faulty, text, start, start + len(old.text), new)]
        edits.extend(_siblings(scene, faulty, old, new))
        return tuple(edits)
    if faulty.cells:
        row = _row(faulty, truth)
        if row is not None:
            return (_put(faulty, text, faulty.start, faulty.end, row),)
    return (_put(faulty, text, faulty.start, faulty.end, _statement(faulty, truth)),)


def _put(unit: Unit, text: str, start: int, end: int, new: str) -> Edit:
    return replace_span(unit.path, text, start, end, _escaped(unit, text, new))


def _escaped(unit: Unit, text: str, new: str) -> str:
    """The new text as the string that it stands in needs it."""
    suffix = PurePosixPath(unit.path).suffix.lower()
    before = text[: unit.start].rsplit("\n", 1)[-1]
    if suffix in (".json", ".jsonc") or (suffix in (".yml", ".yaml") and before.count('"') % 2):
        return json.dumps(new, ensure_ascii=False)[1:-1] if not unit.text.startswith("[") else new
    if suffix in (".yml", ".yaml") and before.count("'") % 2:
        return new.replace("'", "''")
    if suffix in (".yml", ".yaml"):
        return new.replace(": ", " – ").replace(" #", " no. ")
    return new


def _swap(scene: Scene, faulty: Unit, truth: Unit) -> tuple[Value, str] | None:
    """The one value of the faulty text that the truth has otherwise, and its new form."""
    own = tuple(values(faulty.text))
    theirs = tuple(values(truth.text))
    wrong = [v for v in own if not any(same(v, w) for w in theirs)]
    right = [w for w in theirs if not any(same(v, w) for v in own)]
    pairs = [(v, w) for v in wrong for w in right if comparable(v, w)]
    if not pairs:
        return None
    wanted = claims((*scene.talk.complaint, *scene.talk.admission)).values
    said = claims([s for view in scene.rounds for s in view.round.answer]).values

    def telling(pair: tuple[Value, Value]) -> tuple[int, int]:
        old, new = pair
        return (sum(same(new, v) for v in wanted), sum(same(old, v) for v in said))

    best = max(pairs, key=telling)
    if len(pairs) > 1 and telling(best) == (0, 0):
        return None
    return best[0], in_form(*best)


def _siblings(scene: Scene, faulty: Unit, old: Value, new: str) -> list[Edit]:
    """The same statement in other files, so that one change set mends them together."""
    edits: list[Edit] = []
    number = scene.index.units.index(faulty)
    words, sense = scene.near(number)
    for other, unit in enumerate(scene.index.units):
        alike = words[other] > 6.0 and sense[other] > 2.5
        if unit.path == faulty.path or not alike or unit.type not in ("kb_entry", "skill"):
            continue
        if scene.library.standings[unit.path].status == "draft":
            continue
        stale = next((v for v in values(unit.text) if same(v, old) and v.text == old.text), None)
        if stale is not None:
            text = scene.index.repo.texts[unit.path]
            start = unit.start + stale.start
            try:
                edits.append(_put(unit, text, start, start + len(stale.text), new))
            except EditRefused:
                continue
    return edits[:3]


def _row(faulty: Unit, truth: Unit) -> str | None:
    """A row with the cells of a row of the same form."""
    if len(truth.cells) != len(faulty.cells):
        return None
    fresh = [faulty.cells[0], *truth.cells[1:]]
    return "| " + " | ".join(fresh) + " |" if faulty.text.startswith("|") else None


def _noted_row(text: str) -> str:
    inner = text.rstrip().removesuffix("|").rstrip()
    return f"{inner} {_OPEN} |" if text.rstrip().endswith("|") else f"{text} {_OPEN}"


def _statement(faulty: Unit, truth: Unit) -> str:
    """What the authority says, with its name, in one line."""
    said = truth.reading.rstrip()
    name = PurePosixPath(truth.path).stem
    if faulty.cells and faulty.text.startswith("|"):
        cells = [*faulty.cells[:-1], f"{said} ({name})"]
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    ended = said if said.endswith((".", "!", "?", "。")) else f"{said}."
    return f"{ended[:-1]} ({name}){ended[-1]}"
