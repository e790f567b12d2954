"""Every problem of a context repository at once, each with file, line and cure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from context_repo_schema.checkout import GitFailed, read_tree
from context_repo_schema.checks import data, files, frontmatter, layout, links, skills, supersession
from context_repo_schema.checks.checkout import Checkout
from context_repo_schema.classify import components
from context_repo_schema.component import Component
from context_repo_schema.load import load_config
from context_repo_schema.problem import Problem

CHECKS: tuple[Callable[[Checkout], Iterator[Problem]], ...] = (
    layout.check,
    files.check,
    frontmatter.check,
    skills.check,
    data.check,
    links.check,
    supersession.check,
)

# Read for who reviews what, which makes them no component.
OWNERS = frozenset({"CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS"})


class Checked(msgspec.Struct, frozen=True):
    """The problems of a checkout by file and line, its components, and the paths of the texts
    that are none. Where the files could not be read there are only problems."""

    problems: tuple[Problem, ...]
    components: tuple[Component, ...] = ()
    others: tuple[str, ...] = ()


def validate(root: Path, config_path: Path | None = None) -> tuple[Problem, ...]:
    """The problems of the checkout at `root`, by file and line.

    With a broken configuration only its own problems, since what the files are is then unknown.
    """
    return checked(root, config_path).problems


def checked(root: Path, config_path: Path | None = None) -> Checked:
    """As `validate`, and what the files were taken for."""
    if not root.is_dir():
        message, cure = "there is no such folder", "give the checkout of the context repository"
        return Checked((Problem(root.as_posix(), 1, "error", "no-checkout", message, cure),))
    loaded = load_config(root, config_path)
    if any(problem.severity == "error" for problem in loaded.problems):
        return Checked(loaded.problems)
    try:
        tree = read_tree(root, loaded.config)
    except GitFailed as error:
        cure = "mend the checkout, or copy its files to a folder without .git"
        return Checked((Problem(".git", 1, "error", "git-failed", str(error), cure),))
    found = components(tree.texts, loaded.config)
    checkout = Checkout(root, tree, found, loaded.config)
    problems = (*loaded.problems, *(p for check in CHECKS for p in check(checkout)))
    ordered = sorted(problems, key=lambda problem: (problem.file, problem.line, problem.code))
    known = {component.path for component in found}
    others = (path for path in tree.texts if path not in known)
    return Checked(tuple(ordered), found, tuple(p for p in others if p not in OWNERS))
