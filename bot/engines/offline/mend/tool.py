"""A tool's description, put right from what the tool itself or its schema says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from bot.context.unit import Unit
from bot.engines.offline.mend.clause import reworded
from bot.engines.offline.mend.codes import recoded
from bot.engines.offline.mend.correction import is_list, put, swap
from bot.engines.offline.mend.kind import of_a_kind
from bot.engines.offline.mend.listed import alike, listed, listing, lists, stored
from bot.engines.offline.mend.units import in_unit
from bot.engines.offline.scene import Scene
from bot.provenance.words import strings
from bot.records.change import Edit
from bot.records.finding import Hypothesis

_NAME = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b")
# Words of a message around the values that it names.
_PROSE = frozenset(
    ["use", "unknown", "known", "invalid", "valid", "expected", "got", "allowed", "one", "of", "is"]
)
_SPELT = 0.75


def describe(
    scene: Scene, chosen: Hypothesis, faulty: Unit | None, truth: Unit | None
) -> tuple[Edit, ...]:
    """The values that the tool or its schema accepts; what its codes mean, the unit, the figure or
    the name that its schema has; else the sentence that speaks of what the source speaks of."""
    if faulty is None:
        return ()
    allowed = _accepted(scene, faulty) or stored(scene, faulty, truth)
    if allowed is not None:
        return (allowed,)
    if truth is None:
        return _renamed(scene, faulty, truth) or ()
    right = recoded(scene, faulty, truth) or in_unit(scene, faulty, truth)
    if right is not None:
        return (right,)
    exchanged = swap(scene, faulty, truth)
    if exchanged is not None and not is_list(faulty) and of_a_kind(scene, faulty, truth, exchanged):
        old, new = exchanged
        start = faulty.start + old.start
        return (put(scene, faulty, start, start + len(old.text), new),)
    renamed = _renamed(scene, faulty, truth)
    return renamed if renamed is not None else reworded(scene, faulty, truth)


def _accepted(scene: Scene, faulty: Unit) -> Edit | None:
    """A list of values in the place of one of the same length, where a call was answered by it."""
    units = (scene.index.units[n] for n in scene.index.by_path[faulty.path])
    for unit in units:
        if unit.tool != faulty.tool or not unit.text.startswith("["):
            continue
        own = listed(unit.text)
        for said in _answers(scene, unit):
            for found in lists(said):
                prose = any(item.casefold() in _PROSE for item in found)
                if len(found) != len(own) or len(own) < 2 or found == own or prose:
                    continue
                if alike(own, found) and _speaks_of(said, unit, own):
                    return listing(scene, unit, found)
    return None


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
