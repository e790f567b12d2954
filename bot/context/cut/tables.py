"""CSV rows, SQL definitions, and plain lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from bot.context.unit import Unit
from context_repo_schema.component import Component

_TABLE = re.compile(
    r"\s*(?:CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW)|INSERT\s+INTO)\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.\"`]+)",
    re.I,
)
_COLUMN = re.compile(r"\s*[\"`]?([A-Za-z_]\w*)[\"`]?\s+[A-Za-z]")
_EQUALS = re.compile(r"[|;]")
_RULE = re.compile(r"\s*(=>|->)\s*|\s*,\s*")


def cut_csv(component: Component, text: str) -> Iterator[Unit]:
    """One unit a row, named by its header; a row over several lines is left out. A row of a
    synonym map is an entry, the words in a cell being parted by `|` or `;`."""
    header: tuple[str, ...] = ()
    for unit in _lines(component, text):
        try:
            cells = tuple(next(csv.reader([unit.text], strict=True), []))
        except csv.Error:
            continue
        if not header:
            header = cells
            continue
        yield _as_row(unit, cells, header)


def _as_row(unit: Unit, cells: tuple[str, ...], header: tuple[str, ...]) -> Unit:
    key = next((cell for cell in cells if cell), "")
    if unit.type == "synonym_map":
        terms = tuple(t for cell in cells for part in _EQUALS.split(cell) if (t := part.strip()))
        return Unit(
            unit.path, unit.type, "term", unit.text, unit.start, unit.line, key=key, terms=terms
        )
    return Unit(
        unit.path, unit.type, "row", unit.text, unit.start, unit.line,
        key=key, cells=cells, header=header,
    )  # fmt: skip


def cut_sql(component: Component, text: str) -> Iterator[Unit]:
    """One unit a line: a column with its comment, a row of data, a comment; under its table."""
    table = ""
    for unit in _lines(component, text):
        opened = _TABLE.match(unit.text)
        if opened:
            table = opened[1].strip('"`').rsplit(".", 1)[-1]
        column = None if unit.text.startswith(("--", "(", ")")) else _COLUMN.match(unit.text)
        key = column[1] if column and not opened else ""
        yield Unit(
            unit.path, unit.type, "column", unit.text, unit.start, unit.line,
            headings=(table,) if table else (), key=key,
        )  # fmt: skip


def cut_lines(component: Component, text: str) -> Iterator[Unit]:
    """One unit a line; in a synonym map each line is a rule (Solr form: a, b => c)."""
    for unit in _lines(component, text):
        if unit.text.startswith("#"):
            continue
        if component.type != "synonym_map":
            yield unit
            continue
        terms = tuple(part for part in _RULE.split(unit.text) if part and part not in ("=>", "->"))
        yield Unit(
            unit.path, unit.type, "term", unit.text, unit.start, unit.line,
            key=terms[0] if terms else "", terms=terms,
        )  # fmt: skip


def _lines(component: Component, text: str) -> Iterator[Unit]:
    start = 0
    for number, raw in enumerate(text.splitlines(keepends=True), 1):
        inner = raw.strip().removeprefix("\ufeff")
        if inner:
            begin = start + raw.find(inner)
            yield Unit(component.path, component.type, "sentence", inner, begin, number)
        start += len(raw)
