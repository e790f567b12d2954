"""`audit`: the faults that a context repository shows by itself, without any session."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.audit import show
from bot.audit.table import audit
from bot.commands.outcome import FINDINGS, Outcome
from bot.context.read import read_repo
from bot.errors import ConfigError
from bot.settings import load_settings

FORMATS = {"text": show.text, "json": show.json, "github": show.github}


def execute(args: argparse.Namespace) -> Outcome:
    """Every finding in the chosen form; with `--fail-on-findings` exit 10 where there is one."""
    root = Path(args.context)
    config = load_settings(root, Path(args.config) if args.config else None).config
    repo = read_repo(root, config)
    if not repo.components:
        raise ConfigError(
            f"{root}: no context file was found; map them under `components:` in trace-bot.yaml, "
            "or run `trace-bot validate` to see what was looked for"
        )
    findings = audit(repo)
    failed = bool(findings) and args.fail_on_findings
    return Outcome(FORMATS[args.format](findings), FINDINGS if failed else 0)
