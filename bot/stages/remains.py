"""Whether what a change takes away still stands elsewhere: the value with its subject, or the
sentence word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.audit.claim import telling, without
from bot.context.authority import standing
from bot.context.unit import Unit
from bot.context.units import cut
from bot.provenance.value import Value, same
from bot.provenance.values import values
from bot.records.change import ChangeSet
from bot.records.plan import Trial
from bot.stages.retrieval import Ground, Patched

TELLING = frozenset({"money", "percent", "duration", "measure", "date", "time", "url", "version"})
SUBJECT = 0.6  # share of each statement's rare words that the other holds
FEWEST = 5  # words of a sentence that is known by itself
_WORD = re.compile(r"\w+")


def remains(title: str, unit: ChangeSet, ground: Ground, after: Patched) -> Trial:
    """The trial of a change that takes text away; it does not apply to one that only adds."""
    gone = tuple(_gone(unit, ground, after))
    if not gone:
        return Trial(title, None, "the change takes no statement away")
    brought = [value for new in after.units for value in values(new.reading)]
    for old in gone:
        taken = [v for v in _hard(old) if not any(same(v, w) for w in brought)]
        for other in _others(old, taken, ground, after):
            if _in_force(other.path, ground) and _says(other, old, taken, ground):
                told = f"{other.path}:{other.line} still says what is changed here"
                return Trial(title, False, told)
    return Trial(title, True)


def _gone(unit: ChangeSet, ground: Ground, after: Patched) -> Iterator[Unit]:
    """The units of the changed files that stand there no longer."""
    kept = {(new.path, _plain(new.reading)) for new in after.units}
    for file in unit.files:
        component = ground.repo.component(file.path)
        if component is not None and component.type != "synonym_map":
            for old in cut(component, ground.repo.texts[file.path]):
                if (old.path, _plain(old.reading)) not in kept and old.kind != "meta":
                    yield old


def _others(old: Unit, taken: Sequence[Value], ground: Ground, after: Patched) -> Iterator[Unit]:
    """The units that may still say it: those with a value that goes, or with the same words."""
    index = ground.index
    numbers = {n for value in taken for n in ground.stated.get(value.canonical, ())}
    if not taken:
        same_words = _plain(old.reading)
        numbers = {n for n, u in enumerate(index.units) if _plain(u.reading) == same_words}
    yield from (index.units[n] for n in sorted(numbers) if not after.touches(index.units[n].path))
    yield from after.units


def _says(other: Unit, old: Unit, taken: Sequence[Value], ground: Ground) -> bool:
    """Whether another unit states the same value of the same subject, or the same words."""
    if not taken:
        words = _plain(old.reading)
        return words.count(" ") >= FEWEST - 1 and words == _plain(other.reading)
    stated = values(other.reading)
    if not any(same(v, w) for v in taken for w in stated):
        return False
    if old.cells and other.cells and old.key.casefold() != other.key.casefold():
        return False
    mine = telling(without(old.reading, values(old.reading)))
    yours = telling(without(other.reading, stated))
    around = telling(" ".join((*other.headings[-1:], ground.index.titles.get(other.path, ""))))
    share = ground.index.coverage
    return share(mine, yours | around) >= SUBJECT and share(yours, mine) >= SUBJECT


def _hard(unit: Unit) -> list[Value]:
    return [value for value in values(unit.reading) if value.kind in TELLING]


def _in_force(path: str, ground: Ground) -> bool:
    component = ground.repo.component(path)
    if component is None or component.type == "schema_hint":
        return False
    return standing(ground.repo, path).status not in ("dead", "draft")


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
