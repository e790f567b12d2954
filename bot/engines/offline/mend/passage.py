"""The sentences that a source has to be cited with, so that it says the whole thing."""

from __future__ import annotations

from bot.context.search import Index
from bot.context.unit import Unit

LONGEST = 400  # characters of a passage that is cited whole


def passage(index: Index, source: Unit) -> tuple[Unit, ...]:
    """A sentence with the others of its item or paragraph, where all of them are short; else with
    the one before it, on which it may lean, if there is one and both are short."""
    if source.kind != "sentence":
        return (source,)
    block = _block(index, source)
    before = block[max(block.index(source) - 1, 0) : block.index(source) + 1]
    return next((part for part in (block, before) if _length(part) <= LONGEST), (source,))


def _length(part: tuple[Unit, ...]) -> int:
    return part[-1].end - part[0].start


def _block(index: Index, source: Unit) -> tuple[Unit, ...]:
    """The sentences around one that no empty line and no other item parts from it."""
    text = index.repo.texts[source.path]
    block: list[Unit] = []
    for number in index.by_path[source.path]:
        unit = index.units[number]
        if unit.kind != "sentence" or unit.headings != source.headings:
            continue
        between = text[block[-1].end : unit.start] if block else ""
        if between.strip() or between.count("\n") > 1:
            if source in block:
                break
            block = []
        block.append(unit)
    return tuple(block) if source in block else (source,)
