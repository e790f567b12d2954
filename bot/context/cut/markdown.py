"""Markdown into sentences, table rows, code lines and frontmatter facts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from bot.context.bars import between_bars
from bot.context.cut.sentences import sentences
from bot.context.unit import Kind, Unit
from context_repo_schema.component import Component

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


class _Line(msgspec.Struct, frozen=True):
    """One line without its end, with its offset and 1-based number."""

    text: str
    start: int
    number: int


def cut(component: Component, text: str) -> Iterator[Unit]:
    """The units of a Markdown text, in order."""
    lines = _lines(text)
    body = _frontmatter_end(lines)
    for line in lines[1 : max(body - 1, 1)]:
        if ":" in line.text:
            yield _unit(component, "meta", line, line.text.strip())
    yield from _body(component, text, lines[body:])


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for number, raw in enumerate(text.splitlines(keepends=True), 1):
        lines.append(_Line(raw.rstrip("\r\n").removeprefix("\ufeff"), start, number))
        start += len(raw)
    return lines


def _frontmatter_end(lines: list[_Line]) -> int:
    """The index of the first line of the body."""
    if not lines or lines[0].text.strip() != "---":
        return 0
    return next((i + 1 for i, line in enumerate(lines[1:], 1) if line.text.strip() == "---"), 0)


def _unit(component: Component, kind: Kind, line: _Line, text: str, **more: object) -> Unit:
    start = line.start + max(line.text.find(text.split("\n", 1)[0]), 0)
    fields = {"path": component.path, "type": component.type, "kind": kind, "text": text}
    return Unit(**fields, start=start, line=line.number, **more)  # type: ignore[arg-type]


def _body(component: Component, text: str, lines: list[_Line]) -> Iterator[Unit]:
    headings: list[str] = []
    levels: list[int] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        heading = _HEADING.match(line.text)
        fence = _FENCE.match(line.text)
        if heading:
            while levels and levels[-1] >= len(heading[1]):
                levels.pop()
                headings.pop()
            levels.append(len(heading[1]))
            headings.append(heading[2])
            index += 1
        elif fence:
            stop = _fence_end(lines, index, fence[1])
            yield from _code(component, lines[index + 1 : stop], tuple(headings))
            index = stop + 1
        elif _is_table(lines, index):
            stop = next(
                (i for i in range(index, len(lines)) if "|" not in lines[i].text), len(lines)
            )
            yield from _rows(component, lines[index:stop], tuple(headings))
            index = stop
        elif not line.text.strip():
            index += 1
        else:
            stop = _paragraph_end(lines, index)
            yield from _sentences(component, text, lines[index:stop], tuple(headings))
            index = stop


def _fence_end(lines: list[_Line], index: int, mark: str) -> int:
    ends = (i for i in range(index + 1, len(lines)) if lines[i].text.strip().startswith(mark))
    return next(ends, len(lines))


def _code(component: Component, lines: list[_Line], headings: tuple[str, ...]) -> Iterator[Unit]:
    for line in lines:
        if line.text.strip():
            yield _unit(component, "code", line, line.text.strip(), headings=headings)


def _is_table(lines: list[_Line], index: int) -> bool:
    return (
        "|" in lines[index].text
        and index + 1 < len(lines)
        and "|" in lines[index + 1].text
        and bool(_RULE.match(lines[index + 1].text))
    )


def split_row(text: str) -> tuple[str, ...]:
    """The cells of a table row, outer bars dropped."""
    return tuple(cell.strip() for cell in between_bars(text))


def _rows(component: Component, lines: list[_Line], headings: tuple[str, ...]) -> Iterator[Unit]:
    header = split_row(lines[0].text)
    for line in lines[2:]:
        cells = split_row(line.text)
        more = {"headings": headings, "key": cells[0], "cells": cells, "header": header}
        yield _unit(component, "row", line, line.text.strip(), **more)


def _paragraph_end(lines: list[_Line], index: int) -> int:
    for i in range(index + 1, len(lines)):
        text = lines[i].text
        if not text.strip() or _HEADING.match(text) or _FENCE.match(text) or _ITEM.match(text):
            return i
        if _is_table(lines, i):
            return i
    return len(lines)


def _sentences(
    component: Component, text: str, lines: list[_Line], headings: tuple[str, ...]
) -> Iterator[Unit]:
    first, last = lines[0], lines[-1]
    mark = _ITEM.match(first.text)
    start = first.start + (mark.end() if mark else 0)
    for begin, end in sentences(text, start, last.start + len(last.text)):
        number = first.number + text.count("\n", first.start, begin)
        yield Unit(
            path=component.path,
            type=component.type,
            kind="sentence",
            text=text[begin:end],
            start=begin,
            line=number,
            headings=headings,
        )
