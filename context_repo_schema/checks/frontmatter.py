"""Frontmatter that its readers cannot load."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.frontmatter import frontmatter
from context_repo_schema.problem import Problem, Severity
from context_repo_schema.recognise import MARKDOWN_SUFFIXES

CURSOR_SUFFIX = ".mdc"  # its own reader takes `globs: **/*`, which is no YAML


def check(checkout: Checkout) -> Iterator[Problem]:
    """Broken or unclosed blocks: an error in SKILL.md, which agents then skip; else a warning."""
    for component in checkout.components:
        name = PurePosixPath(component.path)
        if name.suffix not in MARKDOWN_SUFFIXES or name.suffix == CURSOR_SUFFIX:
            continue
        block = frontmatter(checkout.text(component))
        severity: Severity = "error" if name.name == "SKILL.md" else "warning"
        if block and block.problem:
            message = f"the frontmatter is no YAML: {block.problem}"
            cure = "put values that hold `: `, `*` or `#` in quotes"
            yield Problem(
                component.path, block.problem_line, severity, "frontmatter-broken", message, cure
            )
        elif block and not block.closed and name.name == "SKILL.md":
            message = "the frontmatter opens with `---` and is never closed"
            cure = "add a line `---` below its last key"
            yield Problem(component.path, 1, severity, "frontmatter-unclosed", message, cure)
