"""Whether the globs find anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.classify import matches
from context_repo_schema.component import ComponentType
from context_repo_schema.config import FILE_NAME, Config
from context_repo_schema.layout import FOLDERS, NAMES
from context_repo_schema.problem import Problem

SHOWN = 4


def check(checkout: Checkout) -> Iterator[Problem]:
    """No component at all is an error; a configured glob that matches no file is a warning."""
    if not checkout.components:
        count = len(checkout.tree.texts)
        message = f"no component found among {count} text files"
        cure = f"looked for {_looked_for(checkout.config)}; name yours under `components`"
        yield Problem(FILE_NAME, 1, "error", "no-components", message, cure)
    for kind, globs in checkout.config.components.items():
        for glob in globs:
            if not any(matches(path, (glob,)) for path in checkout.tree.texts):
                message = f"components.{kind}: `{glob}` matches no file"
                cure = "correct the pattern, or remove it"
                line = _line_of(checkout.root, glob)
                yield Problem(FILE_NAME, line, "warning", "glob-unmatched", message, cure)


def _line_of(root: Path, glob: str) -> int:
    place = root / FILE_NAME
    rows = place.read_text("utf-8").split("\n") if place.is_file() else []
    return next((number for number, row in enumerate(rows, 1) if glob in row), 1)


def _looked_for(config: Config) -> str:
    globs: dict[ComponentType, list[str]] = {}
    for kind, known in (*NAMES, *FOLDERS):
        globs.setdefault(kind, []).extend(known)
    asked: Mapping[ComponentType, tuple[str, ...] | list[str]] = {**globs, **config.components}
    return "; ".join(
        f"{kind}: {', '.join(patterns[:SHOWN])}{', …' if len(patterns) > SHOWN else ''}"
        for kind, patterns in asked.items()
    )
