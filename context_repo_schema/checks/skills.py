"""The rules of agentskills.io for SKILL.md; all are warnings, since readers differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.frontmatter import Frontmatter, frontmatter, key_line
from context_repo_schema.problem import Problem

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST = {"name": 64, "description": 1024, "compatibility": 500}
MOST_LINES = 500
Rule = tuple[str, str, str, str]  # key, code, message, cure


def check(checkout: Checkout) -> Iterator[Problem]:
    """Missing, misnamed or overlong fields, a name unlike the folder's, an overlong body."""
    for component in checkout.components:
        if component.type != "skill" or PurePosixPath(component.path).name != "SKILL.md":
            continue
        text = checkout.text(component)
        block = frontmatter(text)
        if block is None:
            message, cure = "a skill has frontmatter", "begin the file with name and description"
            yield Problem(component.path, 1, "warning", "skill-frontmatter", message, cure)
        elif block.closed and not block.problem:
            for key, code, message, cure in _rules(component.path, block):
                line = key_line(text, block, key)
                yield Problem(component.path, line, "warning", code, message, cure)
        if text.count("\n") > MOST_LINES:
            message, cure = f"longer than {MOST_LINES} lines", "move parts to references/"
            yield Problem(component.path, MOST_LINES + 1, "warning", "skill-length", message, cure)


def _rules(path: str, block: Frontmatter) -> Iterator[Rule]:
    for key in ("name", "description"):
        if not _text(block.meta.get(key)):
            yield key, f"skill-{key}", f"`{key}` is missing or empty", f"add `{key}: …`"
    for key, longest in LONGEST.items():
        size = len(_text(block.meta.get(key)))
        if size > longest:
            cure = f"shorten it to {longest} characters"
            yield key, f"skill-{key}", f"`{key}` has {size} characters", cure
    name = _text(block.meta.get("name"))
    folder = PurePosixPath(path).parent.name
    if name and not NAME.fullmatch(name):
        cure = "use a-z, 0-9 and single hyphens between them"
        yield "name", "skill-name", f"`name` is {name[:64]!r}", cure
    elif name and folder and name != folder:
        message = f"`name` is {name[:64]!r} and the folder {folder!r}"
        yield "name", "skill-folder", message, "give both the same name"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
