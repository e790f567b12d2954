"""What a document is called: by its frontmatter, its title, its file and its folder."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from bot.audit.claim import Words, telling
from bot.audit.material import Material
from bot.identity.names import GENERIC
from context_repo_schema.component import Component

KEYS = ("id", "name", "title")
_EDGE = re.compile(r"[\s`\"'*_().]+")


def names(material: Material, component: Component) -> tuple[str, ...]:
    """Everything that other documents may call it, each once, without quotes around it."""
    path = PurePosixPath(component.path)
    file = path.parent.name if path.stem.casefold() in GENERIC else path.stem
    given = [component.meta.get(key) for key in KEYS]
    told = [value for value in given if isinstance(value, str)]
    found = (*told, material.index.titles.get(component.path, ""), file)
    return tuple(dict.fromkeys(plain(name) for name in found if plain(name)))


def plain(name: str) -> str:
    """A name as it is compared: in lower case, its words parted by single spaces."""
    return _EDGE.sub(" ", name.replace("-", " ").casefold()).strip()


def telling_names(material: Material, component: Component) -> tuple[Words, ...]:
    """The names of two telling words and more: one word alone names too much else."""
    found = (telling(name) for name in names(material, component))
    return tuple(dict.fromkeys(words for words in found if len(words) > 1))
