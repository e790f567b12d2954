"""`bench`: make and verify benchmark folders, score an engine on them, and report."""

from __future__ import annotations

import argparse
import logging
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from bot.atomic import write
from bot.bench import lineups, page, render
from bot.bench.about import about
from bot.bench.compare import below, compare, read_rows
from bot.bench.compare import render as render_differences
from bot.bench.methods import methods
from bot.bench.profile import shares
from bot.bench.public import sets
from bot.bench.result import Result, made, of_one_engine, read, result
from bot.bench.run import evenly, run_all, run_suite
from bot.bench.simulate.reword import by_model
from bot.bench.simulate.simulate import Request, simulate
from bot.bench.suite import load
from bot.bench.table import markdown
from bot.bench.verify import render as render_checks
from bot.bench.verify import verify
from bot.commands.outcome import Outcome
from bot.context.read import read_repo
from bot.engines.llm.options import ModelOptions, model_options
from bot.engines.table import ENGINES
from bot.errors import ConfigError
from bot.model_arguments import idle_flags, model_flags
from bot.ports import Engine
from bot.prompts.template import digest
from bot.settings import load_settings
from context_repo_schema.config import Config

log = logging.getLogger("trace-bot")


def execute(args: argparse.Namespace) -> Outcome:
    """One action; each is a function below."""
    to_stdout = [name for name in WRITERS if getattr(args, name, None) == "-"]
    if len(to_stdout) > 1:
        named = " and ".join(f"--{name}" for name in to_stdout)
        raise ConfigError(f"{named} are both -; only one of them can go to stdout")
    return ACTIONS[args.action](args)


def _run(args: argparse.Namespace) -> Outcome:
    suites = [evenly(load(Path(name)), args.limit) for name in args.suites]
    name, build = _engine(args)
    lineup = lineups.shipped(name, build, args.ablate)
    note = lineups.seen(suites) if name == "offline" else f"{about('model')} {_prompts()}"
    what = "The shipped engine" if name == "offline" else f"The model engine, {_method(args)}"
    about_it = made(name, _command(), what, note)
    return _told(result(about_it, run_all(suites, lineup)), args)


def _held_out(args: argparse.Namespace) -> Outcome:
    suites = [load(Path(name)) for name in args.suites]
    parts = run_all(suites, lineups.held_out(suites, args.ablate))
    what = "What single parts are worth" if args.ablate else "Every suite held out in turn"
    about_it = made("offline", _command(), what, about("held_out"))
    return _told(result(about_it, parts), args)


def _profile(args: argparse.Namespace) -> Outcome:
    suites = [load(Path(name)) for name in args.suites]
    name, build = _engine(args)
    found = shares(lambda: [run_suite(suite, build()) for suite in suites])
    about_it = made(name, _command(), "Where the time goes", about("profile"))
    return _told(Result(about_it, shares=found), args)


def _engine(args: argparse.Namespace) -> tuple[str, Callable[[], Engine]]:
    """The engine's name, and how a fresh one is made."""
    name = args.engine or "offline"
    _warn_of_idle(args, name)
    options = model_options(Config(), os.environ, model_flags(args))
    return name, partial(ENGINES[name], options)


def _prompts() -> str:
    return f"The prompts in force have the digest {digest()}."


def _method(args: argparse.Namespace) -> str:
    """The strategy, and what else differs from it by itself."""
    asked = args.detector if args.detector in ("taxonomy", "vanilla") else None
    hints = "with hints" if args.hints else None
    return " ".join(
        filter(None, (args.strategy or ModelOptions().strategy, args.recommender, hints, asked))
    )


def _warn_of_idle(args: argparse.Namespace, engine: str) -> None:
    if idle := idle_flags(args, engine):
        log.warning("%s", idle)


def _public(args: argparse.Namespace) -> Outcome:
    places = {name: Path(found) for name in sets.SETS if (found := getattr(args, name))}
    if not places:
        raise ConfigError(f"name the folder of a set: --{', --'.join(sets.SETS)}")
    name, build = _engine(args)
    found = sets.score(build, places, Path(args.policies))
    return _told(result(made(name, _command(), "Public sets", about("public")), (), found), args)


def _report(args: argparse.Namespace) -> Outcome:
    return _written(of_one_engine(tuple(read(Path(name)) for name in args.results)), args)


def _methods(args: argparse.Namespace) -> Outcome:
    table = methods([read(Path(name)) for name in args.results])
    return Outcome(f"{markdown(table.head, table.rows)}\n\n{table.note}\n")


def _told(found: Result, args: argparse.Namespace) -> Outcome:
    return _written((found,), args)


def _written(results: Sequence[Result], args: argparse.Namespace) -> Outcome:
    """The files that were asked for; on stdout one of them, or else the text."""
    shown = render.text(results)
    for name, writer in WRITERS.items():
        place = getattr(args, name, None)
        if place == "-":
            shown = writer(results)
        elif place:
            write(Path(place), writer(results).encode())
    return Outcome(shown)


def _encoded(results: Sequence[Result]) -> str:
    return msgspec.json.format(msgspec.json.encode(results[0]), indent=1).decode() + "\n"


def _command() -> str:
    """The command line, without the folders that lie elsewhere on this machine."""
    return f"trace-bot {shlex.join(map(_relative, sys.argv[1:]))}"


def _relative(argument: str) -> str:
    option, equals, value = argument.rpartition("=")
    place, here = Path(value), Path.cwd()
    if not place.is_absolute() and ".." not in place.parts:
        return argument
    place = Path(os.path.normpath(here / place))
    shown = place.relative_to(here) if place.is_relative_to(here) else Path("...", place.name)
    return f"{option}{equals}{shown}"


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
    _warn_of_idle(args, args.engine or "offline")
    if args.engine == "llm":
        options = model_options(Config(), os.environ, model_flags(args))
        reword = by_model(options)
        request = msgspec.structs.replace(request, reword=reword, author=options.model)
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


WRITERS: Mapping[str, Callable[[Sequence[Result]], str]] = {
    "json": _encoded,
    "markdown": render.document,
    "html": page.page,
}

ACTIONS: Mapping[str, Callable[[argparse.Namespace], Outcome]] = {
    "run": _run,
    "held-out": _held_out,
    "profile": _profile,
    "public": _public,
    "report": _report,
    "methods": _methods,
    "verify": _verify,
    "simulate": _simulate,
    "compare": _compare,
}
