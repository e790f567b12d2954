"""`publish`: the pull requests of a plan. It holds the write token and reads no session."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from bot import planfile
from bot.commands.outcome import SOME_FAILED, Outcome
from bot.context.read import read_repo
from bot.defang import log_line
from bot.errors import ConfigError
from bot.forges.environment import TOKEN_VARIABLES
from bot.forges.site import Site
from bot.forges.table import FORGES
from bot.records.plan import Publication
from bot.reports.actions import (
    append_summary,
    publication_outputs,
    publication_summary,
    write_outputs,
)
from bot.settings import load_settings


def execute(args: argparse.Namespace) -> Outcome:
    """Check the plan against the checkout and publish it."""
    require_consent(args, os.environ)
    root = Path(args.context)
    try:
        settings = load_settings(root, Path(args.config) if args.config else None)
    except ConfigError as problem:
        tell_of(problem, root, os.environ)
        raise
    plan = planfile.read(Path(args.plan))
    site = Site(read_repo(root, settings.config), settings, os.environ)
    publication = FORGES["github"](site).publish(plan)
    summary = f"{publication_summary(publication)}\n{publication.dashboard}"
    append_summary(os.environ, summary)
    write_outputs(os.environ, publication_outputs(publication))
    return Outcome(listed(publication), publication_code(publication))


def tell_of(problem: ConfigError, root: Path, environment: Mapping[str, str]) -> None:
    """A problem of the configuration as a line of the dashboard, where there is a token."""
    if any(environment.get(name) for name in TOKEN_VARIABLES):
        from bot.forges.problems import tell

        tell(root, environment, problem)


def publication_code(publication: Publication) -> int:
    """0, or 8 where GitHub refused some pull requests and the rest was done."""
    return SOME_FAILED if any(unit.action == "failed" for unit in publication.units) else 0


def require_consent(args: argparse.Namespace, environment: Mapping[str, str]) -> None:
    """Outside CI a write needs `--yes`. Raises `ConfigError`."""
    if not args.yes and environment.get("CI", "").lower() not in ("1", "true"):
        raise ConfigError(
            "this would write to GitHub from outside CI; add --yes if you mean it, or use "
            "`trace-bot dry-run` to look first"
        )


def listed(publication: Publication) -> str:
    """One line a unit, and the warnings."""
    lines = [
        log_line(f"{u.action:10} {u.branch} {u.url or ''} {u.reason}".rstrip())
        for u in publication.units
    ]
    lines += [log_line(f"warning: {warning}") for warning in publication.warnings]
    return "".join(f"{line}\n" for line in lines) or "nothing to publish\n"
