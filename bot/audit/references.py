"""Links, paths and skill names that lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from bot.audit.finding import Finding
from bot.audit.material import Material
from bot.audit.mentions import mentions, tells_of_the_past
from bot.records.finding import RepoQuote

_NAME = r"`([a-z0-9]+(?:-[a-z0-9]+)+)`"
_SKILL = re.compile(rf"\bskill:?\s+{_NAME}|{_NAME}\s+skill\b", re.IGNORECASE)


def check(material: Material) -> Iterator[Finding]:
    """Each mention of a file or a skill that stands nowhere; a line on the past is no mistake."""
    for mention in mentions(material):
        if mention.target is None and not tells_of_the_past(mention.line.quote):
            message = f"{mention.written[:120]!r} stands nowhere in the repository"
            cure = "correct the path, or remove the mention"
            yield Finding("references", message, cure, mention.line)
    yield from _skills(material)


def _skills(material: Material) -> Iterator[Finding]:
    known = _skill_names(material)
    for component in material.repo.components if known else ():
        for number, line in enumerate(material.repo.texts[component.path].splitlines(), 1):
            for match in _SKILL.finditer(line):
                name = (match[1] or match[2]).casefold()
                if name not in known and not tells_of_the_past(line):
                    message = f"there is no skill {name!r}"
                    cure = "name a skill that there is, or remove the mention"
                    here = RepoQuote(component.path, number, line.strip())
                    yield Finding("references", message, cure, here)


def _skill_names(material: Material) -> frozenset[str]:
    """The names of the skills, of their folders and of their files."""
    names: set[str] = set()
    for component in material.repo.components:
        if component.type == "skill":
            path = PurePosixPath(component.path)
            names |= {str(component.meta.get("name", "")), path.parent.name, path.stem}
    return frozenset(name.casefold() for name in names if name)
