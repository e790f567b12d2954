"""`validate`: what is wrong in a context repository, with file, line and cure."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.commands.outcome import Outcome
from bot.errors import ConfigError
from context_repo_schema import render
from context_repo_schema.validate import validate

INVALID = 2
FORMATS = {"text": render.text, "json": render.json, "github": render.github}


def execute(args: argparse.Namespace) -> Outcome:
    """Every problem in the chosen form; exit 2 where one is an error."""
    root = Path(args.directory)
    if not root.is_dir():
        raise ConfigError(f"{root} is no folder; give the checkout of the context repository")
    problems = validate(root)
    failed = any(problem.severity == "error" for problem in problems)
    return Outcome(FORMATS[args.format](problems), INVALID if failed else 0)
