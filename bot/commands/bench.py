"""`bench`: make and verify benchmark folders, score an engine on them, and report."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from bot.arguments import model_flags
from bot.atomic import write
from bot.bench import page, render
from bot.bench.compare import below, compare, read_rows
from bot.bench.compare import render as render_differences
from bot.bench.public import sets
from bot.bench.result import Result, made, read, result, together
from bot.bench.run import run_all
from bot.bench.simulate.simulate import Request, simulate
from bot.bench.suite import load
from bot.bench.verify import render as render_checks
from bot.bench.verify import verify
from bot.commands.outcome import Outcome
from bot.context.read import read_repo
from bot.engines.llm.options import model_options
from bot.engines.table import ENGINES
from bot.errors import ConfigError
from bot.ports import Engine
from bot.settings import load_settings
from context_repo_schema.config import Config


def execute(args: argparse.Namespace) -> Outcome:
    """One action; each is a function below."""
    return ACTIONS[args.action](args)


def _run(args: argparse.Namespace) -> Outcome:
    suites = [load(Path(name)) for name in args.suites]
    name, build = _engine(args)
    return _told(result(made(name, _command()), run_all(suites, build)), args)


def _engine(args: argparse.Namespace) -> tuple[str, Callable[[], Engine]]:
    """The engine's name, and how a fresh one is made."""
    name = args.engine or "offline"
    options = model_options(Config(), os.environ, model_flags(args))
    return name, partial(ENGINES[name], options)


def _public(args: argparse.Namespace) -> Outcome:
    places = {name: Path(found) for name in sets.SETS if (found := getattr(args, name))}
    if not places:
        raise ConfigError(f"name the folder of a set: --{', --'.join(sets.SETS)}")
    name, build = _engine(args)
    found = sets.score(build, places, Path(args.policies))
    return _told(result(made(name, _command()), (), found), args)


def _report(args: argparse.Namespace) -> Outcome:
    found = together(tuple(read(Path(name)) for name in args.results))
    return _written(found, args)


def _told(found: Result, args: argparse.Namespace) -> Outcome:
    if args.json:
        write(Path(args.json), msgspec.json.format(msgspec.json.encode(found), indent=1))
    return _written(found, args)


def _written(found: Result, args: argparse.Namespace) -> Outcome:
    if args.markdown:
        write(Path(args.markdown), render.document(found).encode())
    if args.html:
        write(Path(args.html), page.page(found).encode())
    return Outcome(render.text(found))


def _command() -> str:
    return f"trace-bot {shlex.join(sys.argv[1:])}"


def _verify(args: argparse.Namespace) -> Outcome:
    parts, failed = [], False
    for suite in (load(Path(name)) for name in args.suites):
        settings = load_settings(suite.context)
        repo = read_repo(suite.context, settings.config, history=suite.history)
        results = verify(suite, repo)
        failed = failed or any(result.failures for result in results)
        parts.append(f"{suite.name}\n{render_checks(results)}")
    return Outcome("\n".join(parts), exit_code=int(failed))


def _simulate(args: argparse.Namespace) -> Outcome:
    asked = {name: int(value) for name, value in map(_counted, args.per_category)}
    request = Request(Path(args.context), Path(args.output), args.seed, args.count, asked)
    results = simulate(request)
    failed = any(check.failures for check in results)
    return Outcome(f"{request.out.name}\n{render_checks(results)}", exit_code=int(failed))


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


def _counted(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not value.isdecimal():
        raise ConfigError(f"--per-category {text!r} is not CATEGORY=N, such as KB_CONTENT_GAP=20")
    return name.strip(), value


ACTIONS: Mapping[str, Callable[[argparse.Namespace], Outcome]] = {
    "run": _run,
    "public": _public,
    "report": _report,
    "verify": _verify,
    "simulate": _simulate,
    "compare": _compare,
}
