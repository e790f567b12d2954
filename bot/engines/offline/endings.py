"""Which documents were ended by which sentence: withdrawn, replaced, to be removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from bot.context.authority import Standing, replaces
from bot.context.search import Index
from bot.context.words import stems

_ENOUGH = 0.5


def endings(index: Index, standings: Mapping[str, Standing]) -> dict[str, tuple[int, ...]]:
    """For each file the units of other files that say that it, or its matter, has ended.

    Either the frontmatter of another file supersedes it, or a sentence with a word of ending
    covers most of the rare words of its title.
    """
    found: dict[str, list[int]] = {}
    text = files(__package__).joinpath("endings.json").read_text("utf-8")
    words = tuple(word for group in json.loads(text).values() for word in group)
    ending = [
        n
        for n, u in enumerate(index.units)
        if u.type == "kb_entry" and any(word in u.reading.casefold() for word in words)
    ]
    for path, own in standings.items():
        component = index.repo.component(path)
        if component is None or component.type not in ("kb_entry", "skill"):
            continue
        name = set(stems(index.titles[path])) | set(stems(path.rsplit("/", 1)[-1].split(".")[0]))
        for number in ending:
            unit = index.units[number]
            if unit.path == path:
                continue
            held = set(stems(unit.reading)) | set(stems(" ".join(unit.headings[-1:])))
            if index.coverage(name, held) >= _ENOUGH:
                found.setdefault(path, []).append(number)
        for other, theirs in standings.items():
            if other != path and replaces(index.repo, theirs, own):
                lines = [n for n in index.by_path[other] if index.units[n].kind == "meta"
                         and "supersede" in index.units[n].text.casefold()]  # fmt: skip
                found.setdefault(path, []).extend(lines[:1])
    return {path: tuple(dict.fromkeys(numbers)) for path, numbers in found.items()}
