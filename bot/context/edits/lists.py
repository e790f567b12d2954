"""Items of Markdown lists and rows of Markdown tables, written as their neighbours are."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.context.bars import BAR, between_bars
from bot.context.edits.markdown import find_section, own_lines
from bot.context.edits.splice import Splice, newline_of, with_newlines
from bot.errors import EditRefused
from bot.records.change import Edit
from context_repo_schema.markdown import sections, without_frontmatter

_MARKER = re.compile(
    r"(?P<indent>[ \t]*(?:>[ ]?)*[ \t]*)(?P<marker>[-*+]|(?P<number>\d{1,9})[.)])(?P<gap>[ \t]+)"
)


class Item(msgspec.Struct, frozen=True):
    """A list item: its 0-based first line, the line behind its last, its marker, its list."""

    first: int
    end: int
    marker: re.Match[str]
    list_number: int


def insert_list_item(
    path: str, text: str, section: str | Sequence[str], item: str, after: str | None = None
) -> Edit:
    """Adds an item to the section's last list, or behind the item that holds the text `after`.

    A numbered list is counted on, unless all its items bear one number. Raises `EditRefused`.
    """
    lines = text.split("\n")
    items = _items(path, text, section, lines)
    before = _beside(path, items, lines, after)
    siblings = [i for i in items if i.list_number == before.list_number]
    position = siblings.index(before)
    numbers = [int(i.marker["number"]) for i in siblings if i.marker["number"]]
    counts = len(set(numbers)) > 1 or numbers == [1]
    step = 1 if numbers and counts else 0
    content = with_newlines(item.strip("\r\n"), "\n").split("\n")
    head = _head(before.marker, step)
    loose = position > 0 and not lines[before.first - 1].strip()
    hanging = " " * len(head)
    new = [head + content[0], *(hanging + line if line else "" for line in content[1:])]
    end = _last_said(lines, before)
    carriage = "\r" if newline_of(text) == "\r\n" else ""
    later = siblings[position + 1 :] if step else []
    changed = {i.first: _renumbered(lines[i.first], i.marker) for i in later}
    stop = (later[-1].first + 1) if later else end
    block = [*([""] if loose else []), *new]
    body = [line + carriage for line in block] + [
        changed.get(n, lines[n]) for n in range(end, stop)
    ]
    return _spliced(path, text, lines, (end, stop), body)


def insert_table_row(
    path: str,
    text: str,
    section: str | Sequence[str],
    cells: Sequence[str],
    after: str | None = None,
) -> Edit:
    """Adds a row to the section's last table, or behind the row whose first cell is `after`.

    It has the pipes and column widths of its neighbours. Raises `EditRefused` where the table
    has another number of columns.
    """
    lines = text.split("\n")
    rows = _rows(path, text, section)
    split = {n: between_bars(lines[n]) for n in rows}
    if after is not None:
        rows = [n for n in rows if split[n] and split[n][0].strip() == after.strip()]
        if len(rows) != 1:
            raise EditRefused(f"{path}: {len(rows)} rows begin with {after!r}; name another row.")
    beside = rows[-1]
    if len(split[beside]) != len(cells):
        raise EditRefused(
            f"{path}, line {beside + 1}: the table has {len(split[beside])} columns, "
            f"the new row {len(cells)}; give one cell a column."
        )
    row = _row(lines[beside], cells)
    return _spliced(path, text, lines, (beside + 1, beside + 1), [row])


def _tokens(text: str) -> list[Token]:
    return (
        MarkdownIt("commonmark").enable("table").disable("inline").parse(without_frontmatter(text))
    )


def _items(path: str, text: str, section: str | Sequence[str], lines: Sequence[str]) -> list[Item]:
    """The outermost list items of a section's own text."""
    first, last = own_lines(find_section(path, text, section), sections(text))
    found: list[Item] = []
    lists = depth = 0
    for token in _tokens(text):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
            lists += depth == 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open" and depth == 1 and token.map and token.map[0] < last:
            marker = _MARKER.match(lines[token.map[0]])
            if token.map[0] >= first - 1 and marker:
                found.append(Item(token.map[0], token.map[1], marker, lists))
    if not found:
        raise EditRefused(f"{path}: the section {section!r} has no list; insert a block instead.")
    return found


def _beside(path: str, items: Sequence[Item], lines: Sequence[str], after: str | None) -> Item:
    if after is None:
        return items[-1]
    holding = [i for i in items if after in "\n".join(lines[i.first : i.end])]
    if len(holding) != 1:
        raise EditRefused(f"{path}: {len(holding)} items hold {after!r}; quote another one.")
    return holding[0]


def _head(marker: re.Match[str], step: int) -> str:
    if marker["number"] is None:
        return marker.group()
    number = str(int(marker["number"]) + step)
    return marker["indent"] + number + marker["marker"][-1] + marker["gap"]


def _renumbered(line: str, marker: re.Match[str]) -> str:
    return _head(marker, 1) + line[marker.end() :]


def _last_said(lines: Sequence[str], item: Item) -> int:
    """The line behind the item's last line that is not blank."""
    end = item.end
    while end > item.first + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def _rows(path: str, text: str, section: str | Sequence[str]) -> list[int]:
    """The 0-based lines of the body rows of the section's tables (of the head where none)."""
    first, last = own_lines(find_section(path, text, section), sections(text))
    rows = [
        token.map[0]
        for token in _tokens(text)
        if token.type == "tr_open" and token.map and first - 1 <= token.map[0] < last
    ]
    if not rows:
        raise EditRefused(f"{path}: the section {section!r} has no table; insert a block instead.")
    return rows


def _row(neighbour: str, cells: Sequence[str]) -> str:
    """The cells with the pipes, blanks and widths of a neighbouring row."""
    body = neighbour.rstrip("\r")
    carriage = "\r" if neighbour.endswith("\r") else ""
    widths = [len(cell) for cell in between_bars(body)]
    padded = [cell[:1] == " " for cell in between_bars(body)]
    written = [
        (f" {_cell(cell)} " if pad else _cell(cell)).ljust(width)
        for cell, width, pad in zip(cells, widths, padded, strict=True)
    ]
    indent = body[: len(body) - len(body.lstrip())]
    opening = "|" if body.lstrip().startswith("|") else ""
    closing = "|" if body.rstrip().endswith("|") else ""
    row = indent + opening + "|".join(written) + closing
    return (row if closing else row.rstrip()) + carriage


def _cell(cell: str) -> str:
    return BAR.sub(lambda _: "\\|", " ".join(cell.split()))


def _spliced(
    path: str, text: str, lines: Sequence[str], span: tuple[int, int], body: Sequence[str]
) -> Edit:
    """The edit that puts lines in the place of the 0-based lines `span`."""
    first, stop = span
    start = sum(len(line) + 1 for line in lines[:first])
    end = sum(len(line) + 1 for line in lines[:stop])
    newline = "\n"
    if start > len(text):  # the file ends without a newline, and shall go on doing so
        carriage = "\r" if newline_of(text) == "\r\n" else ""
        new = carriage + newline + newline.join(body)
        return Splice(len(text), len(text), new.removesuffix("\r")).edit(path, text)
    new = newline.join(body) + ("" if end > len(text) else newline)
    return Splice(start, min(end, len(text)), new).edit(path, text)
