"""`dry-run`: the diagnosis and the diffs; nothing in the checkout or on a remote changes."""

from __future__ import annotations

import argparse
import os

from bot.commands.analysis import analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import Outcome
from bot.reports.actions import write_outputs

FINDINGS = 10


def execute(args: argparse.Namespace) -> Outcome:
    """Analyze, leave what `--json` and `--out` ask for, and show the rest."""
    found = analysis(args, os.environ)
    write_outputs(os.environ, leave_outputs(found, args))
    code = exit_code(found)
    if code == 0 and args.fail_on_findings and found.result.proposals:
        code = FINDINGS
    return Outcome("" if args.json == "-" else shown(found), code)
