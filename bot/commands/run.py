"""`run`: analyze and publish in one process, for people who accept one job for both."""

from __future__ import annotations

import argparse
import logging
import os
from pathlib import Path

from bot.commands.analysis import STDOUT, analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import Outcome
from bot.commands.publish import listed, publication_code, require_consent, tell_of
from bot.commands.window import store_window
from bot.compose import publish
from bot.errors import ConfigError
from bot.forges.environment import TOKEN_VARIABLES
from bot.reports.actions import (
    append_summary,
    combined,
    publication_outputs,
    publication_summary,
    write_outputs,
)

log = logging.getLogger("trace-bot")


def execute(args: argparse.Namespace) -> Outcome:
    """Both halves, with the warning that they share one set of secrets. Where stdout is the
    report's, the log tells what became of the proposals."""
    require_consent(args, os.environ)
    log.warning(
        "one job holds the write token and reads untrusted sessions; `analyze` and `publish` "
        "as two jobs keep them apart"
    )
    try:
        window = store_window(args, os.environ, TOKEN_VARIABLES)
        found = analysis(args, os.environ, window=window)
    except ConfigError as problem:
        tell_of(problem, Path(args.context), os.environ)
        raise
    outputs = leave_outputs(found, args)
    publication = publish(found, os.environ, single_job=True)
    summary = f"{publication_summary(publication)}\n{publication.dashboard}"
    append_summary(os.environ, summary)
    write_outputs(os.environ, combined(outputs, publication_outputs(publication)))
    code = max(exit_code(found), publication_code(publication))
    told, text = listed(publication), shown(found, args, publication.units)
    if args.json == STDOUT:
        for line in told.splitlines():
            log.info("%s", line)
        return Outcome(text, code)
    return Outcome(f"{text}\n{told}", code)
