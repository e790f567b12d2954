"""A tool's description, put right from what the tool itself or its schema says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from bot.context.unit import Unit
from bot.context.words import stems
from bot.engines.offline.mend.correction import is_list, put, swap
from bot.engines.offline.mend.wording import cited
from bot.engines.offline.scene import Scene
from bot.provenance.words import strings
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_ITEM = r"['\"`]?[\w.:+-]{1,32}['\"`]?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s*(?:,|\||/|;)\s*(?:(?:or|and)\s+)?{_ITEM}|\s+(?:or|and|oder|und|ou|o|y|e|of|en)\s+{_ITEM})+"
)
_SPLIT = re.compile(
    r"\s*(?:,|\||/|;)\s*(?:(?:or|and)\s+)?|\s+(?:or|and|oder|und|ou|o|y|e|of|en)\s+"
)
_NAME = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b")
# A description often opens a sentence with the small letter of a column's name.
_CLAUSE = re.compile(r"\S(?:[^.;]|[.;](?!\s))*[.;]?", re.DOTALL)
# Words of a message around the values that it names.
_PROSE = frozenset(
    ["use", "unknown", "known", "invalid", "valid", "expected", "got", "allowed", "one", "of", "is"]
)
_COMMENTED = re.compile(r"--|#|//|COMMENT", re.IGNORECASE)
_SPELT = 0.75
_SHARED = 2  # rare words in common, from which on two texts are about one thing


def describe(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """The values that the tool or its schema accepts, the name or figure that its schema has,
    else the sentence of the description that speaks of what the source speaks of."""
    if faulty is None:
        return ()
    allowed = _accepted(scene, faulty) or _stored(scene, faulty, truth)
    if allowed is not None:
        return (allowed,)
    exchanged = swap(scene, faulty, truth) if truth is not None else None
    if exchanged is not None and not is_list(faulty):
        old, new = exchanged
        start = faulty.start + old.start
        return (put(scene, faulty, start, start + len(old.text), new),)
    renamed = _renamed(scene, faulty, truth)
    if renamed is not None:
        return renamed
    unit = _beside(scene, faulty) if is_list(faulty) else faulty
    place = _sentence(unit, truth) if truth is not None else None
    if truth is None or place is None:
        return ()
    begin, end = place
    if is_list(faulty):
        return (put(scene, unit, unit.end, unit.end, f" {cited(truth)}"),)
    return (put(scene, unit, unit.start + begin, unit.start + end, cited(truth)),)


def _accepted(scene: Scene, faulty: Unit) -> Edit | None:
    """A list of values in the place of one of the same length, where a call was answered by it."""
    units = (scene.index.units[n] for n in scene.index.by_path[faulty.path])
    for unit in units:
        if unit.tool != faulty.tool or not unit.text.startswith("["):
            continue
        own = _values(unit.text)
        for said in _answers(scene, unit):
            for found in _lists(said):
                prose = any(item.casefold() in _PROSE for item in found)
                if len(found) != len(own) or len(own) < 2 or found == own or prose:
                    continue
                if _speaks_of(said, unit, own):
                    return _listing(scene, unit, found)
    return None


def _stored(scene: Scene, faulty: Unit, truth: Unit | None) -> Edit | None:
    """The values that a column holds in the place of a list that has some of them and others."""
    if truth is None or truth.type != "schema_hint" or not (is_list(faulty) and faulty.parameter):
        return None
    own = {value.casefold() for value in _values(faulty.text)}
    for found in _lists(truth.text):
        held = {value.casefold() for value in found}
        if own & held and own - held and len(held) == len(found):
            return _listing(scene, faulty, found)
    return None


def _listing(scene: Scene, unit: Unit, values: list[str]) -> Edit:
    """Other values in the place of a list, written as it is."""
    quoted = '"' in unit.text or not unit.text.strip("[]")
    items = [json.dumps(v, ensure_ascii=False) if quoted else v for v in values]
    return put(scene, unit, unit.start, unit.end, f"[{', '.join(items)}]", raw=True)


def _values(text: str) -> list[str]:
    return [item.strip().strip("'\"`") for item in text.strip("[] \n").split(",") if item.strip()]


def _lists(text: str) -> Iterator[list[str]]:
    for match in _LIST.finditer(text):
        yield [item.strip("'\"`.:") for item in _SPLIT.split(match[0])]


def _answers(scene: Scene, unit: Unit) -> Iterator[str]:
    """What the tool said itself to calls: errors, and short notices beside its results."""
    for node in scene.trajectory.nodes:
        tool = node.tool
        if tool is None or unit.tool not in (tool.name, tool.name.rsplit(".", 1)[-1]):
            continue
        yield tool.error or ""
        if isinstance(tool.output, dict):
            yield from (v for v in tool.output.values() if isinstance(v, str) and len(v) < 200)


def _speaks_of(said: str, unit: Unit, own: list[str]) -> bool:
    """Whether an answer is about the parameter of a list: by its name, or by a value sent."""
    name = unit.parameter.split(".")[0]
    return bool(name and name in said) or any(f"'{v}'" in said for v in own)


def _renamed(scene: Scene, faulty: Unit, truth: Unit | None) -> tuple[Edit, ...] | None:
    """A name that its table does not have, exchanged for the one that it has instead: the one
    that is spelt alike, else the one in the source."""
    said = list(dict.fromkeys(_NAME.findall(faulty.text)))
    for table, names in _tables(scene).items():
        if truth is not None and truth.type == "schema_hint" and truth.headings != table:
            continue
        gone = [n for n in said if n not in names]
        gone = [n for n in gone if _sent(scene, n)] or gone
        own = _NAME.findall(truth.text) if truth is not None and truth.headings == table else []
        if len(gone) != 1 or not (own or set(said) & names):
            continue
        there = [n for n in names - set(said) if _spelt_alike(n, gone[0])]
        if len(there) != 1:
            there = [n for n in dict.fromkeys(own) if n not in said]
        if len(there) == 1:
            return (_replaced(scene, faulty, gone[0], there[0]),)
    return None


def _tables(scene: Scene) -> dict[tuple[str, ...], set[str]]:
    """The names in each table of the schemas, by the headings of its columns."""
    found: dict[tuple[str, ...], set[str]] = {}
    for unit in scene.index.units:
        if unit.type == "schema_hint":
            names = _NAME.findall(f"{unit.text} {' '.join(unit.headings)}")
            found.setdefault(unit.headings, set()).update(names)
    return found


def _spelt_alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other).ratio() >= _SPELT


def _replaced(scene: Scene, unit: Unit, old: str, new: str) -> Edit:
    name = re.compile(rf"\b{re.escape(old)}\b")
    first = name.search(unit.text)
    begin = first.start() if first else 0
    text = name.sub(new, unit.text[begin:])
    return put(scene, unit, unit.start + begin, unit.end, text, raw=True)


def _sent(scene: Scene, name: str) -> bool:
    tools = [node.tool for node in scene.trajectory.nodes if node.tool is not None]
    return any(name in text for tool in tools for text in strings(tool.input))


def _sentence(unit: Unit, truth: Unit) -> tuple[int, int] | None:
    """The sentence of a description that names what the source is about; None where none does."""
    key = truth.key if truth.kind == "column" else ""
    if truth.type == "schema_hint" and not _COMMENTED.search(truth.text):
        return None
    source = set(stems(f"{truth.key} {truth.reading}"))
    best: tuple[int, tuple[int, int]] | None = None
    for match in _CLAUSE.finditer(unit.text):
        part, span = match[0], match.span()
        shared = len(source & set(stems(part))) + (5 if key and key in part else 0)
        if shared >= _SHARED and (best is None or shared > best[0]):
            best = shared, span
    return best[1] if best is not None else None


def _beside(scene: Scene, unit: Unit) -> Unit:
    """The sentence that describes what a list belongs to: its parameter, else its tool."""
    own = [scene.index.units[n] for n in scene.index.by_path[unit.path]]
    prose = [u for u in own if u.tool == unit.tool and not is_list(u)]
    same_one = [u for u in prose if u.parameter == unit.parameter]
    return (same_one or prose or [unit])[-1]
