"""`analyze`: sessions in, a checked plan out; it never holds a write token."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bot.commands.analysis import analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import Outcome
from bot.planfile import write_plan


def execute(args: argparse.Namespace) -> Outcome:
    """Analyze and write the plan, the only link to `publish`."""
    found = analysis(args, os.environ)
    write_plan(Path(args.plan), found.plan)
    leave_outputs(found, args)
    return Outcome("" if args.json == "-" else shown(found), exit_code(found))
