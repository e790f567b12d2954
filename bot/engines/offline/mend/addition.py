"""Text that is missing, put where a reader would look for it, with its source named."""

from __future__ import annotations

from pathlib import PurePosixPath

from bot.context.edit import replace_span
from bot.context.edits.lists import insert_list_item, insert_table_row
from bot.context.edits.markdown import insert_into_section
from bot.context.unit import Unit
from bot.engines.offline.scene import Scene
from bot.errors import EditRefused
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_OPEN = (
    "Open question, to be settled by the owner of this page: "
    "users ask for this and report that it exists."
)


def add(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """A row, an item or a sentence in the section of the target that is nearest to the matter."""
    path = chosen.component_path or ""
    text = scene.index.repo.texts.get(path, "")
    home = _home(scene, path, truth)
    if home is None:
        return (replace_span(path, text, len(text), len(text), f"\n{_said(truth)}\n"),)
    for attempt in (_as_row, _as_item, _as_block):
        try:
            return (attempt(path, text, home, truth),)
        except EditRefused:
            continue
    return (replace_span(path, text, home.end, home.end, f" {_said(truth)}"),)


def _home(scene: Scene, path: str, truth: Unit | None) -> Unit | None:
    """The unit of the target beside which the addition belongs."""
    numbers = [n for n in scene.index.by_path.get(path, ()) if scene.index.units[n].kind != "meta"]
    if not numbers:
        return None
    voices = [v.question for v in scene.rounds[-1:]] + [scene.complaint]
    scores = {n: sum(v.semantic[n] + v.lexical[n] for v in voices) for n in numbers}
    if truth is not None:
        words, sense = scene.near(scene.index.units.index(truth))
        for n in numbers:
            scores[n] += words[n] + sense[n]
    return scene.index.units[max(numbers, key=lambda n: scores[n])]


def _as_row(path: str, text: str, home: Unit, truth: Unit | None) -> Edit:
    if not home.cells or truth is None or not truth.cells or not home.headings:
        raise EditRefused("the source or the place is no table")
    cells = list(truth.cells[: len(home.cells)])
    if len(truth.cells) < len(home.cells):
        cells += [""] * (len(home.cells) - len(truth.cells))
    return insert_table_row(path, text, home.headings, cells)


def _as_item(path: str, text: str, home: Unit, truth: Unit | None) -> Edit:
    if not home.headings or home.cells:
        raise EditRefused("the place is no list")
    return insert_list_item(path, text, home.headings, _said(truth))


def _as_block(path: str, text: str, home: Unit, truth: Unit | None) -> Edit:
    if not home.headings:
        raise EditRefused("the place has no heading")
    return insert_into_section(path, text, home.headings, _said(truth))


def _said(truth: Unit | None) -> str:
    """What the source says, in one line, with its name."""
    if truth is None:
        return _OPEN
    said = truth.reading.rstrip(" .")
    return f"{said} ({PurePosixPath(truth.path).stem})."
