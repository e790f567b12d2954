"""A text that a JSON string holds: read as what it says, placed where its escapes stand."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

import msgspec

from bot.context.cut import markdown
from bot.context.cut.sentences import sentences
from bot.context.unit import Unit
from context_repo_schema.component import Component

_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u.{4}|\\.")


class Embedded(msgspec.Struct, frozen=True):
    """The decoded `text` of a string, and where its pieces stand in the file (0-based characters).

    `said` and `stands` are the offsets in both at which a piece begins: an escape, or a run of
    characters that stand for themselves. Their last ones are the ends.
    """

    text: str
    said: tuple[int, ...]
    stands: tuple[int, ...]

    def place(self, at: int) -> int:
        """Where the character at that offset of the decoded text stands in the file."""
        piece = bisect_right(self.said, at) - 1
        return self.stands[piece] + at - self.said[piece]


def embedded(text: str, start: int, end: int) -> Embedded:
    """The string whose inside is `text[start:end]`."""
    parts: list[str] = []
    said, stands = [0], [start]
    at, length = start, 0

    def piece(part: str, stop: int) -> None:
        nonlocal length
        length += len(part)
        parts.append(part)
        said.append(length)
        stands.append(stop)

    for escape in _ESCAPE.finditer(text, start, end):
        if escape.start() > at:
            piece(text[at : escape.start()], escape.start())
        piece(json.loads(f'"{escape[0]}"'), escape.end())
        at = escape.end()
    if at < end:
        piece(text[at:end], end)
    return Embedded("".join(parts), tuple(said), tuple(stands))


def cut(component: Component, text: str, start: int, end: int) -> Iterator[Unit]:
    """The units of that string: Markdown where it has lines, else sentences.

    `Unit.text` stands in the file with its escapes; `Unit.decoded` is what they say.
    """
    inside = embedded(text, start, end)
    for unit in _read(component, inside.text):
        first, last = inside.place(unit.start), inside.place(unit.end)
        raw, line = text[first:last], text.count("\n", 0, first) + 1
        decoded = unit.text if unit.text != raw else ""
        yield msgspec.structs.replace(unit, text=raw, start=first, line=line, decoded=decoded)


def _read(component: Component, said: str) -> Iterator[Unit]:
    if "\n" in said:
        yield from markdown.cut(component, said)
        return
    for first, last in sentences(said):
        yield Unit(component.path, component.type, "sentence", said[first:last], first, 1)
