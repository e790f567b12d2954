"""`dry-run`: the diagnosis and the diffs. It asks no remote and writes only where it is told to."""

from __future__ import annotations

import argparse
import os

from bot.commands.analysis import analysis, exit_code, leave_outputs, shown
from bot.commands.outcome import FINDINGS, Outcome
from bot.forges.dry_run import would_propose
from bot.reports.actions import write_outputs


def execute(args: argparse.Namespace) -> Outcome:
    """Analyze, leave what `--json`, `--out` and a workflow ask for, and show the findings."""
    found = analysis(args, os.environ)
    write_outputs(os.environ, leave_outputs(found, args))
    code = exit_code(found)
    if code == 0 and args.fail_on_findings and would_propose(found.plan, found.settings):
        code = FINDINGS
    return Outcome(shown(found, args), code)
