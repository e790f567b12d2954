"""Fields that a tool measures otherwise than the schema: in minutes or seconds, net or gross."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from bot.audit.finding import Finding
from bot.audit.material import Material, quoted
from bot.audit.tools import WHY
from bot.context.unit import Unit
from bot.context.words import stems

NEAR = 9  # words behind the name of a field, or of its comment, in which its measure stands
_BARE = re.compile(r"[\s,]*(\w+)\s*,?\s*(?=--|$)")
_WORD = re.compile(r"[\w·°³€$£%‰]+(?:[.·/-]\w+)*")
_MASK = re.compile(r"Y{2,4}(?:[-/._]?(?:M{1,2}|D{1,2}|W?w{1,2}|P?n{1,2}|Q[nq]?))+")


class Field(msgspec.Struct, frozen=True):
    """A column with its table, its line in the schema, and what its comment measures it in."""

    table: str
    unit: Unit
    measures: Mapping[str, str]


Fields = Mapping[str, Sequence[Field]]


def check(material: Material) -> Iterator[Finding]:
    """Each field of which a tool's text says another measure than the schema's comment on it."""
    fields = _fields(material)
    for unit in material.index.units if fields else ():
        if unit.type == "tool_prompt" and unit.tool:
            for name, clause in _clauses(unit, fields):
                yield from _compared(unit, name, _measures(clause), fields[name])


def _fields(material: Material) -> Fields:
    """The columns whose comment tells a measure, by name."""
    found: dict[str, list[Field]] = {}
    for unit in material.index.units:
        if unit.type != "schema_hint" or unit.kind != "column" or not unit.headings:
            continue
        definition, _, comment = unit.text.partition("--")
        bare = _BARE.match(definition)
        name = (unit.key or (bare[1] if bare else "")).casefold()
        told = _measures(comment)
        if name and told:
            found.setdefault(name, []).append(Field(unit.headings[0], unit, told))
    return found


def _clauses(unit: Unit, fields: Fields) -> Iterator[tuple[str, str]]:
    """Each field that a tool's text speaks of, with what is said of it: up to the next field."""
    own = unit.parameter.rpartition(".")[2].casefold()
    if own in fields:
        yield own, unit.said
        return
    words = [m for m in re.finditer(r"\w+", unit.said) if m[0].casefold() in fields]
    for at, word in enumerate(words):
        end = words[at + 1].start() if at + 1 < len(words) else len(unit.said)
        yield word[0].casefold(), re.split(r"(?<=[^\d])[.;] ", unit.said[word.end() : end])[0]


def _compared(
    unit: Unit, name: str, said: Mapping[str, str], held: Sequence[Field]
) -> Iterator[Finding]:
    """A finding where every column that the tool may mean is measured otherwise, in one way."""
    words = frozenset(stems(f"{unit.tool} {unit.parameter}"))
    near = [field for field in held if words & frozenset(stems(field.table))]
    meant = near or (held if len(held) == 1 else ())
    for kind in sorted(said):
        told = {field.measures.get(kind, said[kind]) for field in meant}
        if len(told) == 1 and said[kind] not in told:
            column = meant[0].unit
            yield Finding(
                check="measures",
                message=f"{name!r} is {said[kind]!r} here, {told.pop()!r} in the schema",
                cure="say it as the schema does",
                here=quoted(unit),
                there=quoted(column),
                outweighs=column.path,
                why=WHY,
            )
            return


def _measures(text: str) -> dict[str, str]:
    """The first measure of each kind among the first words of a text, by its first wording."""
    words = [word.casefold() for word in _WORD.findall(text)[:NEAR]]
    found = {"mask": mask[0]} if (mask := _MASK.search(text)) else {}
    for at in range(len(words)):
        for length in (3, 2, 1):
            known = _known().get(" ".join(words[at : at + length]))
            if known is not None:
                found.setdefault(*known)
                break
    return found


@cache
def _known() -> Mapping[str, tuple[str, str]]:
    """Every wording with its kind, and the wording that stands for its measure."""
    text = files(__package__).joinpath("measures.json").read_text("utf-8")
    kinds: dict[str, list[list[str]]] = json.loads(text)["measures"]
    return {
        wording: (kind, wordings[0])
        for kind, several in kinds.items()
        for wordings in several
        for wording in wordings
    }
