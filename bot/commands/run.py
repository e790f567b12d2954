"""`run`: analyze and publish in one process, for people who accept one job for both."""

from __future__ import annotations

import argparse
import logging
import os

from bot.commands.analysis import analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import Outcome
from bot.commands.publish import outcome, require_consent
from bot.compose import publish

log = logging.getLogger("trace-bot")


def execute(args: argparse.Namespace) -> Outcome:
    """Both halves, with the warning that they share one set of secrets."""
    require_consent(args, os.environ)
    log.warning(
        "one job holds the write token and reads untrusted sessions; `analyze` and `publish` "
        "as two jobs keep them apart"
    )
    found = analysis(args, os.environ)
    leave_outputs(found, args)
    published = outcome(publish(found, os.environ, single_job=True))
    text = "" if args.json == "-" else shown(found) + "\n" + published.text
    return Outcome(text, published.exit_code or exit_code(found))
