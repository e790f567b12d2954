"""Train `weights.json`: `python -m bot.signals.train SUITE...` over labelled benchmark folders;
with `--dry-run` the weights stay as they are.

Every suite is held out once; how the model of the others judges it is the table that is printed.
The weights that are shipped have seen all of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bot.bench.suite import Suite, load
from bot.signals.held_out import held_out, report
from bot.signals.learn import examples, learned
from bot.signals.model import WEIGHTS

NOTE = (
    "Log odds that a user turn shows the answer before it to be wrong or unhelpful. Logistic "
    "regression penalised towards hand-set priors, trained by `python -m bot.signals.train` on "
    "the turns of the benchmark suites; no session's words are in it, only the features that "
    "bot/signals/features.py names. `made_from` names the suites: invented office and support "
    "conversations of few turns, in ten languages, where the share of dissatisfied sessions is far "
    "above what production sees. On a suite among them the detector's figures are not those of "
    "unseen sessions; the training prints those."
)


def main(arguments: Sequence[str]) -> None:
    """Read the suites, train, write the weights, and say how well others are judged."""
    parser = argparse.ArgumentParser(prog="python -m bot.signals.train")
    parser.add_argument("suites", nargs="+", type=Path, metavar="SUITE")
    parser.add_argument("--dry-run", action="store_true", help="judge, but write nothing")
    asked = parser.parse_args(arguments)
    suites = [load(folder) for folder in asked.suites]
    if not asked.dry_run:
        _write(suites)
    sys.stdout.write(report(list(held_out(suites))) + "\n")


def _write(suites: Sequence[Suite]) -> None:
    model = learned([row for suite in suites for row in examples(suite)])
    names = tuple(suite.name for suite in suites)
    card = msgspec.structs.replace(model, note=NOTE, made_from=names)
    WEIGHTS.write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
