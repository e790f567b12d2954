"""Documents that claim the same id, name or title."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from bot.audit.finding import Finding
from bot.audit.material import Material
from bot.audit.weigh import WHY
from bot.context.authority import prefers
from bot.records.finding import RepoQuote
from context_repo_schema.component import Component

# What names a document for its readers; two files may well describe one tool or one table.
KEYS: Mapping[str, tuple[str, ...]] = {"kb_entry": ("id", "title"), "skill": ("id", "name")}
MOST = 3  # files of one title; more are a template or a form


def check(material: Material) -> Iterator[Finding]:
    """Each pair of documents in force under one name, the weaker one first."""
    for (_, key, _), components in _holders(material).items():
        if not 1 < len(components) <= MOST:
            continue
        first, *others = components
        for other in others:
            if not material.scoped_apart(first.path, other.path):
                yield _found(material, key, first, other)


def _holders(material: Material) -> Mapping[tuple[str, str, str], list[Component]]:
    """The documents in force by their type and by what they call themselves."""
    found: dict[tuple[str, str, str], list[Component]] = {}
    for component in material.repo.components:
        if not material.in_force(component.path):
            continue
        for key in KEYS.get(component.type, ()):
            value = component.meta.get(key)
            if isinstance(value, str) and value.strip():
                name = " ".join(value.casefold().split())
                found.setdefault((component.type, key, name), []).append(component)
    return found


def _found(material: Material, key: str, one: Component, other: Component) -> Finding:
    standings = material.standings
    side, reason = prefers(material.repo, standings[one.path], standings[other.path])
    weak, strong = (other, one) if side > 0 else (one, other)
    alike = PurePosixPath(weak.path).name == PurePosixPath(strong.path).name
    return Finding(
        check="identity",
        message=f"{strong.path} has the same {key}",
        cure="remove one of the copies" if alike else f"give one of the two another {key}",
        here=_line(material, weak, key),
        there=_line(material, strong, key),
        outweighs=strong.path if side else None,
        why=WHY.get(reason, ""),
    )


def _line(material: Material, component: Component, key: str) -> RepoQuote:
    """The line at which the document calls itself so."""
    value = str(component.meta[key])
    lines = material.repo.texts[component.path].splitlines()
    named = (n for n, line in enumerate(lines) if value in line)
    at = next(named, 0)
    return RepoQuote(component.path, at + 1, lines[at].strip() if lines else "")
