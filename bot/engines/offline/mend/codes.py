"""What a description says that codes mean, put right from what the source says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.context.unit import Unit
from bot.engines.offline.code_lists import Item, alike, code_list, is_code
from bot.engines.offline.comment import comment_of, name_of
from bot.engines.offline.mend.correction import is_list, put
from bot.engines.offline.scene import Scene
from bot.records.change import Edit

_PARTED = re.compile(r"[,;|/、；，]\s*")


def recoded(scene: Scene, faulty: Unit, truth: Unit) -> Edit | None:
    """The codes of a description whose meaning the source gives otherwise, and those that it has
    besides; None where the two explain no code in common."""
    for unit in _prose(scene, faulty):
        own = code_list(unit.text)
        if not own or (unit.decoded and "\\" in unit.text[own[0].code_at : own[-1].end]):
            continue
        theirs = _meanings(scene, faulty, truth, own)
        paired = unit is faulty and bool(unit.parameter) and truth.kind == "column"
        if theirs is None or not (paired or _one_thing(unit, own, truth, theirs)):
            continue
        new = _mended(unit.text, own, theirs)
        if new is not None:
            start, end = own[0].code_at, own[-1].end
            return put(scene, unit, unit.start + start, unit.start + end, new)
    return None


def _prose(scene: Scene, faulty: Unit) -> list[Unit]:
    """The text itself; for a list of values what describes its parameter, then its tool."""
    if not is_list(faulty):
        return [faulty]
    own = [scene.index.units[n] for n in scene.index.by_path[faulty.path]]
    prose = [u for u in own if u.tool == faulty.tool and not is_list(u)]
    return sorted(prose, key=lambda u: u.parameter != faulty.parameter)


def _meanings(
    scene: Scene, faulty: Unit, truth: Unit, own: Sequence[Item]
) -> dict[str, str] | None:
    """What the source says of each code: in a list of its comment, or by a row for each code."""
    codes = {item.code for item in own}
    if truth.cells:
        return _of_rows(scene, truth, codes)
    listed = {item.code: item.meaning for item in code_list(comment_of(truth))}
    if codes & listed.keys():
        return listed
    names = {n for n in (name_of(truth), faulty.parameter.split(".")[0]) if n}
    for unit in scene.index.units:
        named = any(cell.rsplit(".", 1)[-1] in names for cell in unit.cells)
        if named and unit.type == "schema_hint":
            found = _of_rows(scene, unit, codes)
            if found is not None:
                return found
    return None


def _of_rows(scene: Scene, row: Unit, codes: set[str]) -> dict[str, str] | None:
    """The codes of a table with a row for each, of the rows that are about the same field."""
    at = next((n for n, cell in enumerate(row.cells[:-1]) if cell in codes and is_code(cell)), None)
    if at is None:
        at = next((n for n, cell in enumerate(row.cells[:-1]) if is_code(cell)), None)
    if at is None:
        return None
    rows = [scene.index.units[n] for n in scene.index.by_path[row.path]]
    same = [r for r in rows if len(r.cells) > at + 1 and r.cells[:at] == row.cells[:at]]
    found = {r.cells[at]: r.cells[at + 1] for r in same if r.cells[at + 1]}
    return found if codes & found.keys() else None


def _one_thing(unit: Unit, own: Sequence[Item], truth: Unit, theirs: dict[str, str]) -> bool:
    """Whether two lists explain the codes of one field: one names the other's, or some codes
    mean the same in both."""
    shared = [item for item in own if item.code in theirs]
    lead = unit.text[max(0, own[0].code_at - 60) : own[0].code_at]
    names = {name_of(truth), *(cell.rsplit(".", 1)[-1] for cell in truth.cells[:1])} - {""}
    named = unit.parameter.split(".")[0] in names or any(_has(lead, name) for name in names)
    agree = [item for item in shared if alike(item.meaning, theirs[item.code])]
    if len(own) == 1:
        return bool(shared)
    return len(shared) > 1 and (named or bool(agree) or (unit.parameter != "" and len(shared) > 2))


def _has(text: str, name: str) -> bool:
    return bool(re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text, re.IGNORECASE))


def _mended(text: str, own: Sequence[Item], theirs: dict[str, str]) -> str | None:
    """The list with its wrong meanings exchanged, written anew where codes are missing; None where
    nothing is wrong."""
    said = {item.code: item.meaning for item in own}
    wrong = {c for c, m in said.items() if c in theirs and not alike(m, theirs[c])}
    lone = len(own) == 1 or len(theirs) == 1
    missing = [] if lone else [code for code in theirs if code not in said]
    gone = [] if lone else [code for code in said if code not in theirs]
    plain = all(_PARTED.fullmatch(item.before) for item in own[1:])
    if not wrong and not (missing and plain):
        return None
    kept = {c: m if c in said and c not in wrong else theirs[c] for c, m in _chosen(said, theirs)}
    if (missing or gone) and plain:
        return _written(own, [(code, kept[code]) for code in theirs])
    if plain and len(own) > 1 and any(_parts(own, kept[code]) for code in wrong):
        return _written(own, [(item.code, kept.get(item.code, item.meaning)) for item in own])
    return "".join(_in_place(text, own, kept))


def _chosen(said: dict[str, str], theirs: dict[str, str]) -> Iterator[tuple[str, str]]:
    for code, meaning in theirs.items():
        yield code, said.get(code, meaning)


def _parts(own: Sequence[Item], meaning: str) -> bool:
    """Whether a meaning holds the sign that parts the items of a list."""
    return any(item.before.strip() in meaning for item in own[1:] if item.before.strip())


def _written(own: Sequence[Item], items: Sequence[tuple[str, str]]) -> str:
    """Codes with meanings in the form of a list, parted by a sign that no meaning holds."""
    sign = own[1].before if len(own) > 1 else ", "
    if any(sign.strip() in meaning for _, meaning in items):
        sign = "; " if not any(";" in meaning for _, meaning in items) else " | "
    link = own[0].link
    close = {"(": ")", "（": "）"}.get(link.strip(), "")
    # The bracket that closes the last one stands behind the list already.
    return f"{close}{sign}".join(f"{code}{link}{meaning}" for code, meaning in items)


def _in_place(text: str, own: Sequence[Item], kept: dict[str, str]) -> Iterator[str]:
    """The list as it stands, with the meanings that are right."""
    at = own[0].code_at
    for item in own:
        yield text[at : item.start]
        yield kept.get(item.code, item.meaning)
        at = item.end
