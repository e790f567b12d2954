"""What a sentence or the cell of a row states: its subject in words, and its typed values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from bot.audit.material import Material
from bot.context.everyday import everyday
from bot.context.unit import Unit
from bot.context.words import stems
from bot.provenance.lexicon import table
from bot.provenance.value import Kind, Value, same
from bot.provenance.values import values

Words = frozenset[str]

# Values that a rule is made of. Names, codes and bare numbers stand for too much else.
HARD: frozenset[Kind] = frozenset({"money", "percent", "duration", "measure", "date", "time"})
_WORD = re.compile(r"\w+")
_LABELLED = re.compile(r"[>*_\s]*\w[\w ]{2,24}[*_]*:[*_]{2}")  # "**Effective:** 1 May": of the file
LONGEST = 500  # characters; a longer text is no single statement


class Claim(msgspec.Struct, frozen=True):
    """One statement of unit number `unit`.

    `key` are the words that a row is named by, `head` those of the cell's column; `subject` are
    all telling words of the statement but its values, `scope` these with the titles above them.
    `values` stand in the statement itself, `beside` in the rest of its unit.
    """

    unit: int
    key: Words
    head: Words
    subject: Words
    scope: Words
    values: tuple[Value, ...]
    beside: tuple[Value, ...] = ()

    def own(self, other: Claim) -> list[Value]:
        """The values that the other's unit does not hold as well."""
        held = (*other.values, *other.beside)
        return [value for value in self.values if not any(same(value, known) for known in held)]


def claims(material: Material) -> tuple[Claim, ...]:
    """The statements with values of all files in force, in the order of the units."""
    found: list[Claim] = []
    for number, unit in enumerate(material.index.units):
        if unit.kind in ("meta", "code", "term", "column") or unit.type == "schema_hint":
            continue
        if len(unit.text) > LONGEST or not material.in_force(unit.path):
            continue
        if _LABELLED.match(unit.text):
            continue
        around = telling(" ".join((material.index.titles.get(unit.path, ""), *unit.headings[-2:])))
        found.extend(
            _cells(number, unit, around) if unit.cells else _sentence(number, unit, around)
        )
    return tuple(found)


def is_rule(value: Value) -> bool:
    """Whether a value can be what a rule sets: a hard one, and no "whole day" or "every week"."""
    if value.kind not in HARD:
        return False
    worded = any(word in _numerals() for word in value.text.casefold().split())
    return value.kind != "duration" or worded or any(c.isdigit() for c in value.text)


def telling(text: str) -> Words:
    """The stems of the words that say what a text is about; numbers and everyday words do not."""
    told = (w for w in _WORD.findall(text) if not w.isdigit() and not everyday(w))
    return frozenset(stem for word in told for stem in stems(word))


def without(text: str, read: tuple[Value, ...]) -> str:
    """A text with what it states blanked; names and codes say what it is about."""
    kept, at = [], 0
    for value in (v for v in read if v.kind in HARD or v.kind == "number"):
        kept.append(text[at : value.start])
        at = value.end
    return " ".join((*kept, text[at:]))


def _sentence(number: int, unit: Unit, around: Words) -> Iterator[Claim]:
    text = unit.reading
    read = values(text)
    if any(is_rule(value) for value in read):
        subject = telling(without(text, read))
        key = frozenset(stems(unit.parameter))
        yield Claim(number, key, frozenset(), subject, subject | around, read)


def _cells(number: int, unit: Unit, around: Words) -> Iterator[Claim]:
    """A claim a cell with a value; the words of the other cells are its scope."""
    key = telling(without(unit.key, values(unit.key)))
    if not key:
        return
    words = telling(" ".join(unit.cells))
    # A column that is headed by a date tells of another time than now.
    columns = [
        (head, cell, values(cell))
        for head, cell in list(zip(unit.header, unit.cells, strict=False))[1:]
        if not any(value.kind == "date" for value in values(head))
    ]
    every = tuple(value for _, _, read in columns for value in read)
    for head, cell, read in columns:
        if read:
            column = telling(head)
            subject = key | column | telling(without(cell, read))
            yield Claim(number, key, column, subject, subject | words | around, read, every)


@cache
def _numerals() -> frozenset[str]:
    languages = table("numerals")["languages"].values()
    return frozenset(word for language in languages for word in language["atoms"])
