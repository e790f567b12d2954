"""Which documents were ended by which sentence: withdrawn, replaced, to be removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from bot.context.authority import Standing, successors
from bot.context.search import Index
from bot.context.words import stems
from bot.engines.offline.cues import Cues, holds

KEPT = 3


class Ending(msgspec.Struct, frozen=True):
    """A unit that may end a file.

    `names` is how much of the file's name it covers (0 to 1), `telling` the rarity of what it
    covers, `near` how near it is to the nearest unit of the file, `removed` whether it says that
    something is to be removed, `explicit` whether frontmatter supersedes the file outright.
    """

    unit: int
    names: float
    telling: float
    near: float
    removed: bool
    explicit: bool


def endings(
    index: Index, standings: Mapping[str, Standing], cues: Cues
) -> dict[str, tuple[Ending, ...]]:
    """For each document the units of others that may end it, the likeliest first."""
    ending = [
        n
        for n, unit in enumerate(index.units)
        if unit.type == "kb_entry" and unit.kind != "meta" and holds(unit.reading, cues.ended)
    ]
    rows = index.neighbours(ending)
    around = [_around(index, number) for number in ending]
    removed = [holds(index.units[number].reading, cues.removed) for number in ending]
    after = successors(index.repo, standings)
    found: dict[str, tuple[Ending, ...]] = {}
    for path, own in standings.items():
        component = index.repo.component(path)
        if component is None or component.type not in ("kb_entry", "skill"):
            continue
        possible = _explicit(index, own, after.get(path, ()))
        names = _names(index, path)
        numbers = index.by_path[path]
        for place, number in enumerate(ending):
            if index.units[number].path == path:
                continue
            # A name of which nothing is said weighs nothing: most of them, in a large repository.
            heard = [(name, said) for name in names if (said := name & around[place])]
            cover = max((index.coverage(name, said) for name, said in heard), default=0.0)
            telling = max((index.mass(said) for _, said in heard), default=0.0)
            near = max(map(rows.lexical[place].__getitem__, numbers))
            near += max(map(rows.semantic[place].__getitem__, numbers))
            possible.append(Ending(number, cover, telling, near, removed[place], False))
        possible.sort(
            key=lambda e: (-e.explicit, -(e.near + 2 * e.names * e.telling + 2 * e.removed))
        )
        found[path] = tuple(possible[:KEPT])
    return found


def _explicit(index: Index, own: Standing, after: Sequence[str]) -> list[Ending]:
    """What supersedes a file by frontmatter, its own or the other's: the line that says so, or
    what the other says in the place of the file; and a file that calls itself dead."""
    lines = [_says_so(index, path) or _instead(index, own.path, path) for path in after]
    if not after and own.status == "dead":
        lines.append([n for n in index.by_path[own.path] if index.units[n].kind == "meta"])
    return [Ending(n, 1.0, 2.0, 20.0, True, True) for found in lines for n in found[:1]]


def _says_so(index: Index, path: str) -> list[int]:
    """The frontmatter lines of a file that supersede another."""
    numbers = [n for n in index.by_path[path] if index.units[n].kind == "meta"]
    said = [n for n in numbers if "supersede" in index.units[n].text.casefold()]
    return said or numbers


def _instead(index: Index, own: str, other: str) -> list[int]:
    """The units of another file, the nearest to any of its own first."""
    rows = index.neighbours(index.by_path[own])
    return sorted(
        index.by_path[other],
        key=lambda n: -max((row[n] for row in rows.lexical), default=0.0),
    )


def _names(index: Index, path: str) -> list[set[str]]:
    """What a file is called: its title, its name in the file system, its first heading."""
    stem = path.rsplit("/", 1)[-1].split(".", maxsplit=1)[0]
    heads = [h for n in index.by_path[path] for h in index.units[n].headings[:1]]
    return [set(stems(text)) for text in (index.titles[path], stem, *heads[:1]) if stems(text)]


def _around(index: Index, number: int) -> set[str]:
    """The words of a unit, of its heading and of the unit before it."""
    unit = index.units[number]
    words = set(index.words[number]) | set(index.heads[number])
    if number and index.units[number - 1].headings == unit.headings:
        words |= index.words[number - 1]
    return words
