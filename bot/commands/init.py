"""`init`: the starter configuration and the scheduled workflow, where they do not stand yet."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path

from bot.atomic import write
from bot.commands.outcome import Outcome
from bot.errors import ConfigError
from context_repo_schema.load import load_config

TEMPLATES = {
    "trace-bot.yaml": "trace-bot.yaml",
    ".github/workflows/trace-bot.yml": "workflow.yml",
}
MISSING = 2
NEXT = """\
Next: in the workflow, say where sessions come from, and put the owner and the commit of the
trace-bot that you reviewed in place of OWNER and the zeros; in the repository's settings of
Actions, allow Actions to create pull requests; commit both files; run the workflow once by hand.
"""
MODES = {
    "preview": """\
trace-bot.yaml says `mode: preview`: nothing is opened. Keep that line: without it `publish` and
`run` open pull requests. When the summaries look right, write `mode: propose`.
""",
    "propose": """\
trace-bot.yaml does not say `mode: preview`: `publish` and `run` open pull requests.
""",
}


def execute(args: argparse.Namespace) -> Outcome:
    """Write what is missing and never touch what stands; `--check` only says what is missing."""
    root = Path(args.directory)
    if not root.is_dir():
        raise ConfigError(f"{root} is no folder; give the checkout of the context repository")
    missing = [place for place in TEMPLATES if not (root / place).exists()]
    if args.check:
        text = "".join(f"missing: {place}\n" for place in missing) or "nothing is missing\n"
        return Outcome(text, MISSING if missing else 0)
    templates = files("bot.commands") / "templates"
    for place in missing:
        write(root / place, (templates / TEMPLATES[place]).read_bytes())
    lines = [f"{'wrote' if place in missing else 'kept'}  {place}" for place in TEMPLATES]
    loaded = load_config(root)
    mode = "" if loaded.problems else MODES[loaded.config.mode]
    return Outcome("\n".join((*lines, NEXT)) + mode)
