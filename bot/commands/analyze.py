"""`analyze`: sessions in, a checked plan out; it never holds a write token."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bot import planfile
from bot.commands.analysis import analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import Outcome
from bot.reports.actions import write_outputs


def execute(args: argparse.Namespace) -> Outcome:
    """Analyze and write the plan, the only link to `publish`."""
    found = analysis(args, os.environ)
    planfile.write(found.plan, Path(args.plan))
    write_outputs(os.environ, leave_outputs(found, args))
    return Outcome("" if args.json == "-" else shown(found), exit_code(found))
