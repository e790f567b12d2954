"""`bench`: verify benchmark folders, and score an engine on them."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from bot.atomic import write
from bot.bench.compare import below, compare, read_rows
from bot.bench.compare import render as render_differences
from bot.bench.metrics import table
from bot.bench.render import by_group, miss_line
from bot.bench.run import misses, run_suite
from bot.bench.score import Row
from bot.bench.suite import Suite, load
from bot.bench.verify import render, verify
from bot.commands.outcome import Outcome
from bot.context.read import read_repo
from bot.engines.table import ENGINES
from bot.errors import ConfigError
from bot.settings import load_settings


def execute(args: argparse.Namespace) -> Outcome:
    """One action on every suite that was named, in that order, or on two results."""
    if args.action == "compare":
        return _compare(args)
    suites = [load(Path(name)) for name in args.suites]
    return _verify(suites) if args.action == "verify" else _run(suites, args)


def _compare(args: argparse.Namespace) -> Outcome:
    differences = compare(read_rows(Path(args.a)), read_rows(Path(args.b)))
    failures = below(differences, dict(_threshold(text) for text in args.min))
    lines = "".join(f"FAIL {failure}\n" for failure in failures)
    return Outcome(render_differences(differences) + lines, exit_code=int(bool(failures)))


def _threshold(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError as problem:
        raise ConfigError(
            f"--min {text!r} is not METRIC=VALUE, such as 'node Acc@1=0.8'"
        ) from problem


def _verify(suites: list[Suite]) -> Outcome:
    parts, failed = [], False
    for suite in suites:
        settings = load_settings(suite.context)
        repo = read_repo(suite.context, settings.config, history=suite.history)
        results = verify(suite, repo)
        failed = failed or any(result.failures for result in results)
        parts.append(f"{suite.name}\n{render(results)}")
    return Outcome("\n".join(parts), exit_code=int(failed))


def _run(suites: list[Suite], args: argparse.Namespace) -> Outcome:
    rows: list[Row] = []
    groups: dict[str, tuple[Row, ...]] = {}
    for suite in suites:
        found = run_suite(suite, ENGINES[args.engine]())
        groups[suite.name] = found
        rows += found
    if args.json:
        result = {
            "engine": args.engine,
            "metrics": {name: table(part) for name, part in {"all": rows, **groups}.items()},
            "rows": rows,
        }
        write(Path(args.json), msgspec.json.format(msgspec.json.encode(result), indent=1))
    listed = "\n".join(f"- {miss_line(row)}" for row in misses(rows))
    return Outcome(f"{by_group(rows, groups)}\n\nMisses\n\n{listed}\n")
