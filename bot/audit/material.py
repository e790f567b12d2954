"""What every check reads: the repository, indexed once, and the standing of each file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath

import msgspec

from bot.context.authority import Standing, standing
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.context.unit import Unit
from bot.records.finding import RepoQuote

# The letters of a number, as in `POL-07`, name no family.
_WORD = re.compile(r"[^\W\d_]+(?![-_ ]?\d)(?=[\W_]|$)")
_PART = re.compile(r"[\W_]+")
FAMILY = 4  # files


class Material(msgspec.Struct, frozen=True):
    """A repository with its index and the standings of its components by path.

    `parallel` are pairs of sibling folders that hold the same for different scopes (two houses,
    two countries); `families` are words that many names of one folder share, each file being for
    a member of its own (`gold-card`, `silver-card`).
    """

    repo: ContextRepo
    index: Index
    standings: Mapping[str, Standing]
    parallel: frozenset[tuple[str, str]]
    families: frozenset[tuple[str, str]]

    @property
    def folders(self) -> frozenset[str]:
        """The folders at the root of the repository."""
        return frozenset(path.partition("/")[0] for path in self.repo.texts if "/" in path)

    def in_force(self, path: str) -> bool:
        """Whether a file is neither a draft nor withdrawn."""
        return self.standings[path].status not in ("dead", "draft")

    def scoped_apart(self, first: str, second: str) -> bool:
        """Whether two files stand side by side for different scopes: in parallel folders, as
        members of one family, or with names that differ in one word."""
        folder, _, one = first.rpartition("/")
        other_folder, _, other = second.rpartition("/")
        if folder == other_folder:
            shared = _named(one) & _named(other)
            return _twins(one, other) or any((folder, word) in self.families for word in shared)
        pairs = zip(folder.split("/"), other_folder.split("/"), strict=False)
        apart = next(((a, b) for a, b in pairs if a != b), None)
        return apart is not None and (min(apart), max(apart)) in self.parallel


def material(repo: ContextRepo) -> Material:
    """The repository, read for an audit."""
    paths = [component.path for component in repo.components]
    return Material(
        repo=repo,
        index=Index(repo),
        standings={path: standing(repo, path) for path in paths},
        parallel=_parallel(paths),
        families=_families(paths),
    )


def quoted(unit: Unit) -> RepoQuote:
    """A unit as a quote of its file."""
    return RepoQuote(unit.path, unit.line, unit.text)


def head(material: Material, path: str) -> RepoQuote:
    """The first line of a file that says something."""
    lines = material.repo.texts[path].splitlines()
    spoken = (n for n, line in enumerate(lines) if line.strip(" \t#*-"))
    at = next((n for n in spoken if lines[n].startswith("#")), 0)
    return RepoQuote(path, at + 1, lines[at].strip() if lines else "")


def _parallel(paths: list[str]) -> frozenset[tuple[str, str]]:
    """Sibling folders that hold a file of the same name at the same place below them."""
    found: set[tuple[str, str]] = set()
    places: dict[tuple[str, str], set[str]] = {}
    for path in paths:
        parts = PurePosixPath(path).parts
        for at in range(len(parts) - 1):
            place = ("/".join(parts[:at]), "/".join(parts[at + 1 :]).casefold())
            places.setdefault(place, set()).add(parts[at])
    for (_, below), folders in places.items():
        # Every skill has a SKILL.md and every folder a README, whatever they are about.
        if below in ("skill.md", "readme.md", "index.md", "agents.md", "claude.md"):
            continue
        ordered = sorted(folders)
        found.update((a, b) for n, a in enumerate(ordered[:20]) for b in ordered[n + 1 : 20])
    return frozenset(found)


def _families(paths: list[str]) -> frozenset[tuple[str, str]]:
    """The folder with each word that the names of many of its files hold."""
    members = Counter(
        (folder, word)
        for folder, _, name in (path.rpartition("/") for path in paths)
        for word in _named(name)
    )
    return frozenset(place for place, count in members.items() if count >= FAMILY)


def _named(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(name.rpartition(".")[0].casefold()))


def _twins(one: str, other: str) -> bool:
    """Whether two names of several parts differ in one of them: `gas-2026.md`, `power-2026.md`."""
    mine, yours = _PART.split(one.casefold()), _PART.split(other.casefold())
    differing = sum(a != b for a, b in zip(mine, yours, strict=False))
    return len(mine) == len(yours) > 2 and differing == 1
