"""`analyze`: sessions in, a checked plan out; it never holds a write token."""

from __future__ import annotations

import argparse
import logging
import os
from pathlib import Path

from bot import planfile
from bot.commands.analysis import analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import Outcome
from bot.commands.window import store_window
from bot.forges.environment import READ_TOKEN, refuse_write_token
from bot.reports.actions import write_outputs

log = logging.getLogger("trace-bot")


def execute(args: argparse.Namespace) -> Outcome:
    """Analyze and write the plan, the only link to `publish`."""
    refuse_write_token(os.environ)
    window = store_window(args, os.environ, (READ_TOKEN,))
    found = analysis(args, os.environ, window=window)
    if left_out := planfile.write(found.plan, Path(args.plan)):
        log.warning(
            "%d proposals did not fit into the plan of at most 2 MB; the next run has them again",
            left_out,
        )
    write_outputs(os.environ, leave_outputs(found, args))
    return Outcome(shown(found, args), exit_code(found))
