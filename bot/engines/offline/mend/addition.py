"""Text that is missing, put where a reader would look for it, with its source named."""

from __future__ import annotations

from bot.context.edits.lists import insert_list_item, insert_table_row
from bot.context.edits.markdown import insert_into_section
from bot.context.edits.span import replace_words
from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.mend.passage import passage
from bot.engines.offline.mend.wording import cited
from bot.engines.offline.scene import Scene
from bot.errors import EditRefused
from bot.provenance.values import values
from bot.records.change import Edit
from bot.records.finding import Hypothesis


def add(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """A row, an item or a sentence in the section of the target that is nearest to the matter."""
    path = chosen.component_path or ""
    text = scene.index.repo.texts.get(path, "")
    if truth is not None and truth.type == "tool_prompt":
        truth = None  # a tool's description is no source for what a page should say
    if truth is None:
        return ()
    said = cited(*passage(scene.index, truth))
    home = _home(scene, path, truth)
    if home is None:
        return (replace_words(path, text, len(text), len(text), f"\n{said}\n"),)
    row = _cells(home, truth, scene) if home.cells else None
    if row is not None and home.headings:
        try:
            return (insert_table_row(path, text, home.headings, row),)
        except EditRefused:
            pass
    for insert in (insert_list_item, insert_into_section):
        try:
            return (insert(path, text, home.headings, said),)
        except EditRefused:
            continue
    return (replace_words(path, text, home.end, home.end, f" {said}"),)


def _home(scene: Scene, path: str, truth: Unit | None) -> Unit | None:
    """The unit of the target beside which the addition belongs."""
    numbers = [n for n in scene.index.by_path.get(path, ()) if scene.index.units[n].kind != "meta"]
    if not numbers:
        return None
    voices = [v.question for v in scene.rounds[-1:]] + [scene.complaint]
    scores = {n: sum(voice.of(n) for voice in voices) for n in numbers}
    if truth is not None:
        words, sense, _ = scene.near(scene.index.units.index(truth))
        for n in numbers:
            scores[n] += words[n] + sense[n]
    return scene.index.units[max(numbers, key=lambda n: scores[n])]


def _cells(home: Unit, truth: Unit, scene: Scene) -> list[str] | None:
    """The source's row in the columns of the table: by the names of the columns, else by the
    kind of value that the column holds. None where less than two columns can be filled."""
    if not truth.cells:
        return None
    left = dict(enumerate(truth.cells))
    row: list[str] = []
    for number, head in enumerate(home.header):
        example = home.cells[number] if number < len(home.cells) else ""
        best = max(left, key=lambda i: _fits(truth, i, head, example), default=None)
        if best is None or _fits(truth, best, head, example) <= 0:
            row.append("")
        else:
            row.append(left.pop(best))
    return row if sum(bool(cell) for cell in row) >= 2 and row[0] else None


def _fits(truth: Unit, column: int, head: str, example: str) -> float:
    cell = truth.cells[column]
    if not cell:
        return 0.0
    name = truth.header[column] if column < len(truth.header) else ""
    named = 2.0 * bool(set(stems(name)) & set(stems(head)))
    kinds = {v.kind for v in values(cell)}, {v.kind for v in values(example)}
    # A label stands where labels stand: text without values, of more than one word or capital.
    alike = bool(kinds[0] & kinds[1]) or (not kinds[1] and not kinds[0] and cell[:1].isupper())
    return named + alike
