"""Tool descriptions that name columns or values which the schema does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from bot.audit.finding import Finding
from bot.audit.material import Material, quoted
from bot.context.cut.tree import Tree, json_tree, yaml_tree
from bot.context.repo import ContextRepo
from bot.context.unit import Unit
from bot.context.words import stems
from bot.records.finding import RepoQuote

WHY = "a schema says what the system does"
_WORD = re.compile(r"\w+")
_SNAKE = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_QUOTED = re.compile(r"'([\w.-]+)'")
_CODE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\b")
FEWEST = 2  # codes that make a list of values, and columns that make a table known


class Column(msgspec.Struct, frozen=True):
    """A column with its table, its line in the schema, and the codes that the line lists."""

    table: str
    unit: Unit
    codes: frozenset[str]


class Enum(msgspec.Struct, frozen=True):
    """A list of allowed values, its parameter, and the names of the parameters beside that."""

    name: str
    beside: frozenset[str]
    values: Tree


class Schema(msgspec.Struct, frozen=True):
    """All schemas of a repository: columns by name, tables, and every word that they hold."""

    columns: Mapping[str, tuple[Column, ...]]
    tables: Mapping[str, frozenset[str]]
    words: frozenset[str]


def check(material: Material) -> Iterator[Finding]:
    """Each tool text that the schema refutes; nothing where there is no schema."""
    return refuted(material.repo, material.repo.texts, material.index.units)


def refuted(
    repo: ContextRepo, texts: Mapping[str, str], units: Sequence[Unit]
) -> Iterator[Finding]:
    """The same for the components of a repository with other texts, cut into these units."""
    schema = _schema(repo, units)
    if not schema.tables:
        return
    told = [unit for unit in units if unit.type == "tool_prompt" and unit.tool]
    for unit in told:
        yield from _columns(unit, schema)
        yield from _listed(unit, schema)
    for component in repo.components:
        if component.type == "tool_prompt" and component.path in texts:
            own = [unit for unit in told if unit.path == component.path]
            yield from _enums(component.path, texts[component.path], own, schema)


def _schema(repo: ContextRepo, units: Sequence[Unit]) -> Schema:
    columns: dict[str, list[Column]] = {}
    tables: dict[str, set[str]] = {}
    for unit in units:
        if unit.type == "schema_hint" and unit.kind == "column" and unit.key and unit.headings:
            table = unit.headings[0].casefold()
            name = unit.key.casefold()
            columns.setdefault(name, []).append(Column(table, unit, _codes(unit.text)))
            tables.setdefault(table, set()).add(name)
    hints = [c.path for c in repo.components if c.type == "schema_hint"]
    words = frozenset(word for path in hints for word in _WORD.findall(repo.texts[path]))
    return Schema(
        {name: tuple(found) for name, found in columns.items()},
        {table: frozenset(names) for table, names in tables.items()},
        words,
    )


def _codes(line: str) -> frozenset[str]:
    """The values that a column's definition lists: in quotes, or as codes in its comment."""
    found = frozenset(_QUOTED.findall(line)) or frozenset(
        _CODE.findall(line.partition("--")[2].replace("NULL", ""))
    )
    return found if len(found) >= FEWEST else frozenset()


def _columns(unit: Unit, schema: Schema) -> Iterator[Finding]:
    """A text on one table that names a column which only other tables have."""
    words = {word.casefold() for word in _WORD.findall(unit.said)}
    named = ({unit.parameter.rpartition(".")[2].casefold()} | words) & schema.tables.keys()
    if len(named) != 1:
        return
    table = next(iter(named))
    for word in dict.fromkeys(_SNAKE.findall(unit.said)):
        elsewhere = schema.columns.get(word)
        if elsewhere and word not in schema.tables[table] and word not in schema.tables:
            held = elsewhere[0]
            yield Finding(
                check="tools",
                message=f"the table {table!r} has no column {word!r}; {held.table!r} has",
                cure=f"name a column of {table!r}",
                here=quoted(unit),
                there=quoted(held.unit),
                outweighs=held.unit.path,
                why=WHY,
            )


def _listed(unit: Unit, schema: Schema) -> Iterator[Finding]:
    """A sentence that lists values of a column, some of which stand in no schema."""
    written = list(dict.fromkeys(_CODE.findall(unit.said)))
    if len(written) < FEWEST:
        return
    for word in dict.fromkeys(_WORD.findall(unit.said)):
        coded = [c for c in schema.columns.get(word, ()) if c.codes and _about(unit, c)]
        if coded and unit.said.find(word) < unit.said.find(written[0]):
            yield from _unknown(quoted(unit), word, written, coded, schema)
            return


def _enums(path: str, text: str, told: Sequence[Unit], schema: Schema) -> Iterator[Finding]:
    """The lists of allowed values whose parameter is a column with other values."""
    read = json_tree if PurePosixPath(path).suffix.startswith(".json") else yaml_tree
    tree = read(text)
    for enum in _lists(tree) if tree is not None else ():
        owner = next((u for u in reversed(told) if u.start <= enum.values.end), None)
        coded = [
            column
            for column in schema.columns.get(enum.name.casefold(), ())
            if column.codes
            and ((owner and _about(owner, column)) or _alike(enum, schema.tables[column.table]))
        ]
        line = text.count("\n", 0, enum.values.start) + 1
        here = RepoQuote(path, line, text.splitlines()[line - 1].strip())
        written = [leaf.value for _, leaf in enum.values.members]
        if coded:
            yield from _unknown(here, enum.name, written, coded, schema)


def _lists(tree: Tree, name: str = "", beside: frozenset[str] = frozenset()) -> Iterator[Enum]:
    """Each `enum` below a tree with the parameter that it belongs to."""
    keys = frozenset(key.casefold() for key, _ in tree.members)
    for key, child in tree.members:
        if key == "enum" and child.kind == "list":
            yield Enum(name, beside - {name.casefold()}, child)
        elif child.kind != "scalar":
            said = tree.get("name") if key == "schema" else None
            yield from _lists(child, said.value if said is not None else key or name, keys)


def _about(unit: Unit, column: Column) -> bool:
    """Whether a tool, by its name or its text, speaks of the column's table."""
    table = frozenset(stems(column.table))
    return bool(table & frozenset(stems(f"{unit.tool} {unit.parameter} {unit.said}")))


def _alike(enum: Enum, columns: frozenset[str]) -> bool:
    """Whether the parameters beside are columns of the table, too."""
    return len(enum.beside & columns) >= FEWEST


def _unknown(
    here: RepoQuote, name: str, written: list[str], coded: list[Column], schema: Schema
) -> Iterator[Finding]:
    """A finding where at least half of the written values stand in no schema."""
    known = {code.casefold() for column in coded for code in column.codes}
    unknown = [v for v in written if v not in schema.words and v.casefold() not in known]
    if unknown and 2 * len(unknown) >= len(written):
        yield Finding(
            check="tools",
            message=f"the column {name!r} has no value {', '.join(map(repr, unknown[:4]))}",
            cure=f"list the values of the schema: {', '.join(sorted(coded[0].codes))[:120]}",
            here=here,
            there=quoted(coded[0].unit),
            outweighs=coded[0].unit.path,
            why=WHY,
        )
