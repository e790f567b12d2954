"""A whole repository cut into units, by the format of each file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from bot.context.cut import data, markdown, tables
from bot.context.repo import ContextRepo
from bot.context.unit import Unit
from context_repo_schema.component import Component

Cutter = Callable[[Component, str], Iterator[Unit]]

CUTTERS: dict[str, Cutter] = {
    ".md": markdown.cut,
    ".mdx": markdown.cut,
    ".mdc": markdown.cut,
    ".markdown": markdown.cut,
    ".prompty": markdown.cut,
    ".rst": markdown.cut,
    ".json": data.cut_json,
    ".jsonc": data.cut_json,
    ".yaml": data.cut_yaml,
    ".yml": data.cut_yaml,
    ".csv": tables.cut_csv,
    ".sql": tables.cut_sql,
}


def units(repo: ContextRepo) -> tuple[Unit, ...]:
    """Every unit of every component, files in order of their paths."""
    found: list[Unit] = []
    for component in sorted(repo.components, key=lambda c: c.path):
        found.extend(cut(component, repo.texts.get(component.path, "")))
    return tuple(found)


def cut(component: Component, text: str) -> Iterator[Unit]:
    """The units of one file. Prose without a known ending is read as Markdown, data as lines."""
    suffix = PurePosixPath(component.path).suffix.lower()
    prose = component.type in ("kb_entry", "skill", "system_prompt")
    cutter = CUTTERS.get(suffix) or (markdown.cut if prose else tables.cut_lines)
    return cutter(component, text)
