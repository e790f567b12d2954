"""Which component a text is, or is a part of: by the path it was read from, and by its lines.

A session may have run with an older commit, and a path may be another project's file of the same
name, so path and lines are weighed together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import Any

import msgspec

from bot.context.repo import ContextRepo
from context_repo_schema.component import Component, ComponentType

# Lines that are shorter than this stand anywhere; a text with less than this tells nothing.
SHORTEST_LINE, SHORTEST_TEXT = 8, 80
MOST_LINES = 500
# How much of a text a file must hold: by itself, and where a path speaks for it, too.
ALONE, WITH_PATH = 0.7, 0.5
LONGEST_PATH = 1000
_NUMBER = re.compile(r"^\d+:")
SKILL_KEYS = ("skill", "skill_name", "name", "path", "command")


class Shelf(msgspec.Struct, frozen=True):
    """A repository with the components (by path) that hold each of their telling lines, and
    the names of the components' files."""

    repo: ContextRepo
    holders: Mapping[str, tuple[str, ...]]
    names: Set[str]


class Found(msgspec.Struct, frozen=True):
    """A component that was read; `path` None where several files hold the same text."""

    type: ComponentType
    path: str | None


def shelf(repo: ContextRepo) -> Shelf:
    """The repository, indexed by line once for any number of sessions."""
    holders: dict[str, list[str]] = {}
    for component in repo.components:
        for line in _telling(repo.texts[component.path]):
            holders.setdefault(line, []).append(component.path)
    names = frozenset(PurePosixPath(component.path).name for component in repo.components)
    return Shelf(repo, {line: tuple(paths) for line, paths in holders.items()}, names)


def shown(shelf: Shelf, path: str | None, text: str | None) -> Found | None:
    """The component behind a text that was read from that path; either may be unknown."""
    lines = sorted(_telling(text or ""), key=len, reverse=True)[:MOST_LINES]
    held = _held(shelf, lines)
    if path and len(path) <= LONGEST_PATH and (named := _named(shelf.repo, path, held)):
        return Found(named.type, named.path)
    best = max(held.values(), default=0.0) if held else 0.0
    holding = [path for path, share in held.items() if share == best] if held else []
    types = {c.type for p in holding if (c := shelf.repo.component(p)) is not None}
    if best < ALONE or len(types) != 1:
        return None
    return Found(types.pop(), holding[0] if len(holding) == 1 else None)


def listed(shelf: Shelf, text: str) -> dict[str, list[str]]:
    """The components that the result of a search names, with the lines it shows of each; empty
    where less than half of its lines are of components.

    Lines have the form of `grep -n` (`path:12:text`), of `grep` (`path:text`) or of a bare path.
    """
    found: dict[str, list[str]] = {}
    lines = [line for line in text.splitlines()[:MOST_LINES] if line.strip()]
    hits = 0
    for line in lines:
        said, _, rest = line.strip().partition(":")
        if len(said) > LONGEST_PATH or said.rpartition("/")[2] not in shelf.names:
            continue
        if (component := _named(shelf.repo, said, None)) is not None:
            hits += 1
            found.setdefault(component.path, []).append(_NUMBER.sub("", rest))
    return found if hits >= len(lines) / 2 else {}


def named_skill(repo: ContextRepo, asked: Any) -> Found | None:
    """The skill that a call names by its folder or its own name, with or without a prefix."""
    values = [asked.get(key) for key in SKILL_KEYS] if isinstance(asked, dict) else [asked]
    name = next((value for value in values if isinstance(value, str) and value), "")
    wanted = name.rpartition(":")[2].strip("/").casefold()
    skills = [c for c in repo.components if c.type == "skill" and wanted in _names(c)]
    return Found("skill", skills[0].path) if wanted and len(skills) == 1 else None


def _names(component: Component) -> set[str]:
    place = PurePosixPath(component.path)
    folder = place.parent.name if place.stem.casefold() == "skill" else place.stem
    return {folder.casefold(), str(component.meta.get("name", "")).casefold()} - {""}


def _named(repo: ContextRepo, path: str, held: Mapping[str, float] | None) -> Component | None:
    """The component at a path, unless the text says that it is another file of that name."""
    resolved = repo.resolve(path)
    component = repo.component(resolved) if resolved is not None else None
    if component is None:
        return None
    said = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    ours = component.path.split("/")
    certain = said == ours or (len(ours) > 1 and said[-2:] == ours[-2:])
    if held is None:
        return component if certain else None
    share = held.get(component.path, 0.0)
    return component if share >= WITH_PATH or (certain and share > 0) else None


def _held(shelf: Shelf, lines: Sequence[str]) -> dict[str, float] | None:
    """How much of the lines, by length, each component holds (0 to 1); None for too few lines."""
    total = sum(map(len, lines))
    if total < SHORTEST_TEXT:
        return None
    held: Counter[str] = Counter()
    for line in lines:
        for path in shelf.holders.get(line, ()):
            held[path] += len(line)
    return {path: length / total for path, length in held.items()}


def _telling(text: str) -> Iterable[str]:
    """The distinct lines of a text that can tell it from others, without blanks around them."""
    stripped = (line.strip() for line in text.splitlines())
    return dict.fromkeys(line for line in stripped if len(line) >= SHORTEST_LINE)
