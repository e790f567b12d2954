"""Which document says that it replaces which: dead ends and circles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.component import Component
from context_repo_schema.problem import Problem

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)[^)]*\)|\[\[([^\]|]+)[^\]]*\]\]")
LONGEST = 1000
A_FILE = re.compile(r"\S+\.\w{2,4}")
AN_ID = re.compile(r"(?=\S*\d)[\w./-]+")


def check(checkout: Checkout) -> Iterator[Problem]:
    """A reference to no document here is a warning, a circle an error."""
    known = _names(checkout.components)
    newer: dict[str, list[str]] = {}
    for component in checkout.components:
        for key in ("supersedes", "superseded_by"):
            for reference in references(component.meta.get(key)):
                other = known.get(_folded(reference))
                line = _line_of(checkout.text(component), reference)
                if other is None:
                    yield from _dangling(component.path, line, key, reference)
                elif other != component.path:
                    pair = (component.path, other)
                    old, new = pair[::-1] if key == "supersedes" else pair
                    newer.setdefault(old, []).append(new)
    for circle in _circles(newer):
        message = f"a circle of supersession: {' -> '.join(circle)}"
        cure = "decide which document is in force, and remove the other statement"
        yield Problem(circle[0], 1, "error", "supersession-circle", message, cure)


def references(value: Any) -> list[str]:
    """The documents that a value names: one or a list, as path, id, title or link."""
    if isinstance(value, list):
        return [name for item in value if isinstance(item, str) for name in references(item)]
    if not isinstance(value, str):
        return []
    short = value[:LONGEST]
    linked = [match[1] or match[2] for match in LINK.finditer(short)]
    parts = linked or re.split(r"[,;]", short)
    return [part.strip() for part in parts if part.strip()]


def _names(components: tuple[Component, ...]) -> Mapping[str, str]:
    """Every name that means exactly one document, folded."""
    found: dict[str, set[str]] = {}
    for component in components:
        path = PurePosixPath(component.path)
        heading = component.sections[0].headings[0] if component.sections else ""
        tails = ("/".join(path.parts[start:]) for start in range(len(path.parts)))
        written = (
            component.meta.get("id"),
            component.meta.get("title"),
            component.meta.get("name"),
        )
        names = (*tails, path.stem, heading, heading.partition(" ")[0], *written)
        for name in names:
            if isinstance(name, str) and name:
                found.setdefault(_folded(name), set()).add(component.path)
    return {name: next(iter(paths)) for name, paths in found.items() if len(paths) == 1}


def _folded(name: str) -> str:
    plain = name.partition("#")[0].removeprefix("./").removeprefix("/")
    while plain.startswith("../"):
        plain = plain[3:]
    return " ".join(plain.casefold().split())


def _dangling(path: str, line: int, key: str, reference: str) -> Iterator[Problem]:
    # What was replaced may be gone, so only its path misleads; what replaces must be here.
    named = A_FILE.fullmatch(reference) or (key == "superseded_by" and AN_ID.fullmatch(reference))
    if named:
        message = f"`{key}` names {reference[:80]!r}, and no document here has that name"
        cure = "correct the name, or remove it where the document is gone for good"
        yield Problem(path, line, "warning", "supersession-dangling", message, cure)


def _circles(newer: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """Each circle once, at its first path in order; the way is followed without recursion."""
    reported: set[str] = set()
    for start in sorted(newer):
        trail, queue = {start: ""}, [start]
        while queue and start not in reported:
            at = queue.pop()
            for after in newer.get(at, ()):
                if after == start:
                    circle = _back(trail, at)
                    reported.update(circle)
                    yield [*circle, start]
                    queue.clear()
                    break
                if after not in trail:
                    trail[after] = at
                    queue.append(after)


def _back(trail: Mapping[str, str], at: str) -> list[str]:
    way = [at]
    while trail[way[-1]]:
        way.append(trail[way[-1]])
    return way[::-1]


def _line_of(text: str, reference: str) -> int:
    at = text.find(reference)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
