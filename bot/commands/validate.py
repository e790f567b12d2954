"""`validate`: what a context repository was taken for, and what is wrong in it, with its cure."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.commands.outcome import Outcome
from bot.errors import ConfigError
from context_repo_schema import render
from context_repo_schema.validate import checked

INVALID = 2
FORMATS = {"text": render.text, "json": render.json, "github": render.github}


def execute(args: argparse.Namespace) -> Outcome:
    """Every problem in the chosen form; exit 2 where one is an error."""
    root = Path(args.directory)
    if not root.is_dir():
        raise ConfigError(f"{root} is no folder; give the checkout of the context repository")
    found = checked(root)
    failed = any(problem.severity == "error" for problem in found.problems)
    text = FORMATS[args.format](found.problems)
    if found.components and args.format != "json":
        text = render.recognised(found.components, found.others) + text
    return Outcome(text, INVALID if failed else 0)
