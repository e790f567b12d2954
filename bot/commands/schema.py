"""`schema`: the published JSON Schema of that name, as the package holds it."""

from __future__ import annotations

import argparse
from importlib.resources import files

from bot.commands.outcome import Outcome


def execute(args: argparse.Namespace) -> Outcome:
    """The schema file's text."""
    folder = files("context_repo_schema") / "schemas"
    return Outcome((folder / f"{args.name}.schema.json").read_text("utf-8"))
