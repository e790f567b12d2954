"""The values of a parameter: a list in the place of another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from bot.context.unit import Unit
from bot.engines.offline.mend.correction import is_list, put
from bot.engines.offline.scene import Scene
from bot.records.change import Edit

_ITEM = r"['\"`]?[\w.:+-]{1,32}['\"`]?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s*(?:,|\||/|;)\s*(?:(?:or|and)\s+)?{_ITEM}|\s+(?:or|and|oder|und|ou|o|y|e|of|en)\s+{_ITEM})+"
)
_SPLIT = re.compile(
    r"\s*(?:,|\||/|;)\s*(?:(?:or|and)\s+)?|\s+(?:or|and|oder|und|ou|o|y|e|of|en)\s+"
)
_SHARED = 2  # values in common from which a longer list is the same one, complete


def stored(scene: Scene, faulty: Unit, truth: Unit | None) -> Edit | None:
    """The values that a column holds in the place of a list that has some of them and others, or
    lacks some of those of its own column."""
    if truth is None or truth.type != "schema_hint" or not (is_list(faulty) and faulty.parameter):
        return None
    own = {value.casefold() for value in listed(faulty.text)}
    for found in lists(truth.text):
        held = {value.casefold() for value in found}
        shared = own & held
        lacks = len(shared) >= _SHARED and held - own and truth.key == faulty.parameter
        if not shared or not (own - held or lacks) or len(held) != len(found):
            continue
        if alike(listed(faulty.text), found):
            return listing(scene, faulty, found)
    return None


def alike(own: Sequence[str], found: Sequence[str]) -> bool:
    """Whether two lists hold things of one kind: figures take no word's place, and no word a
    figure's, unless the list has both already."""
    figures, others = ({v.isdigit() for v in values} for values in (own, found))
    return others <= figures or len(figures) > 1


def listing(scene: Scene, unit: Unit, values: Sequence[str]) -> Edit:
    """Other values in the place of a list, written as it is."""
    quoted = '"' in unit.text or not unit.text.strip("[]")
    items = [json.dumps(v, ensure_ascii=False) if quoted else v for v in values]
    return put(scene, unit, unit.start, unit.end, f"[{', '.join(items)}]", raw=True)


def listed(text: str) -> list[str]:
    """The values of a list as its file writes it."""
    return [item.strip().strip("'\"`") for item in text.strip("[] \n").split(",") if item.strip()]


def lists(text: str) -> Iterator[list[str]]:
    """Every enumeration of short values in a text."""
    for match in _LIST.finditer(text):
        yield [item.strip("'\"`.:") for item in _SPLIT.split(match[0])]
