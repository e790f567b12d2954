"""The command line as data: every command with its arguments. Nothing heavy is imported here."""

from __future__ import annotations

import argparse

from bot import __version__
from bot.model_arguments import engine_arguments, positive, wording_arguments

# The formats that `bot.sources` knows, which is not imported for a help text.
PARTS = ("provenance", "exploration", "authority", "semantics")
SOURCES = (
    *("canonical", "chat", "claude-code", "inspect-ai", "langchain", "langfuse", "langsmith"),
    *("mlflow", "openai-agents", "openai-chat", "opik", "otlp", "phoenix", "swe-agent"),
    "tau-bench",
)

EPILOG = """\
Exit codes: 0 done; 2 configuration; 3 access; 4 cannot open pull requests; 5 GitHub;
6 sessions could not be read; 7 model; 8 some sessions failed; 10 findings exist
(--fail-on-findings); 70 a bug; 75 try later; 130 interrupted.
"""


def parser() -> argparse.ArgumentParser:
    """The whole parser. `command` names the module below `bot.commands` that executes it."""
    root = argparse.ArgumentParser(
        prog="trace-bot",
        description="Find the context file that made an agent fail, and propose the exact fix.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="version", version=f"trace-bot {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _run_commands(commands)
    _session_commands(commands)
    _repository_commands(commands)
    _bench_commands(commands)
    return root


Commands = argparse._SubParsersAction  # the type has no public name


def _command(
    commands: Commands[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=text)
    command.set_defaults(command=name)
    return command


def _common(command: argparse.ArgumentParser) -> None:
    """What every command that reads sessions takes."""
    add = command.add_argument
    add("--context", default=".", metavar="DIR", help="the checked-out context repository")
    add(
        "--trajectories",
        action="append",
        default=[],
        metavar="PATH",
        help="session file or folder, or - for stdin; may be given more than once",
    )
    add(
        "--source",
        action="append",
        default=[],
        metavar="NAME",
        help="one of `sources` in trace-bot.yaml, may be given more than once; without it and "
        "without --trajectories all of them are read",
    )
    add("--config", metavar="FILE", help="instead of trace-bot.yaml in the context repository")
    add("--limit", type=positive, metavar="N", help="stop after N sessions")
    _since(command)
    engine_arguments(command)


def _since(command: argparse.ArgumentParser) -> None:
    told = "only sessions from then on: 24h, 7d, or 2026-01-31"
    command.add_argument("--since", metavar="WHEN", help=told)


def _outputs(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--json", metavar="FILE", help="write the report there (- for stdout)")
    add("--out", metavar="DIR", help="write patches, pull request texts, plan and summary there")


def _run_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    dry = _command(commands, "dry-run", "show the diagnosis and the diffs; change nothing")
    _common(dry)
    _outputs(dry)
    dry.add_argument(
        "--fail-on-findings", action="store_true", help="exit 10 where something would be proposed"
    )
    analyze = _command(commands, "analyze", "read sessions and write a plan; needs no write token")
    _common(analyze)
    _outputs(analyze)
    analyze.add_argument("-o", "--plan", required=True, metavar="PLAN", help="the plan to write")
    publish = _command(commands, "publish", "open the pull requests of a plan")
    publish.add_argument("plan", metavar="PLAN")
    publish.add_argument(
        "--context", default=".", metavar="DIR", help="the checked-out context repository"
    )
    publish.add_argument("--config", metavar="FILE", help="instead of trace-bot.yaml")
    publish.add_argument("--yes", action="store_true", help="publish from outside CI")
    both = _command(commands, "run", "analyze and publish in one process")
    _common(both)
    _outputs(both)
    both.add_argument("--yes", action="store_true", help="publish from outside CI")


def _session_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    explain = _command(commands, "explain", "show how one session was diagnosed, step by step")
    explain.add_argument("session", metavar="SESSION", help="its session_id")
    _common(explain)
    convert = _command(
        commands, "convert", "write sessions of another format in the canonical form"
    )
    convert.add_argument(
        "--source",
        required=True,
        metavar="NAME",
        help=f"the format or store: {', '.join(SOURCES)}",
    )
    convert.add_argument("input", metavar="INPUT", help="file or folder, or - for stdin")
    convert.add_argument(
        "-o", "--output", default="-", metavar="FILE", help=".jsonl, also .gz or .zst"
    )
    _since(convert)


def _repository_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    validate = _command(commands, "validate", "check a context repository")
    validate.add_argument("directory", nargs="?", default=".", metavar="DIR")
    validate.add_argument("--format", choices=("text", "json", "github"), default="text")
    audit = _command(commands, "audit", "find what a repository contradicts by itself; no session")
    add = audit.add_argument
    add("--context", default=".", metavar="DIR", help="the checked-out context repository")
    add("--config", metavar="FILE", help="instead of trace-bot.yaml in the context repository")
    add("--format", choices=("text", "json", "github"), default="text")
    add("--fail-on-findings", action="store_true", help="exit 10 where anything is found")
    init = _command(commands, "init", "write trace-bot.yaml and a scheduled workflow")
    init.add_argument("directory", nargs="?", default=".", metavar="DIR")
    init.add_argument("--check", action="store_true", help="say what is missing; write nothing")
    schema = _command(commands, "schema", "print a JSON Schema")
    schema.add_argument("name", choices=("config", "trajectory", "report", "plan"))


def _action(
    actions: Commands[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    return actions.add_parser(name, help=text, description=text)


def _bench_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    bench = _command(commands, "bench", "measure an engine on labelled sessions")
    actions = bench.add_subparsers(dest="action", metavar="ACTION", required=True)
    run = _action(actions, "run", "score an engine on benchmark folders")
    run.add_argument("suites", nargs="+", metavar="SUITE")
    told = "no more than N sessions of a suite, spread evenly over its file"
    run.add_argument("--limit", type=positive, metavar="N", help=told)
    _ablate(run)
    _bench_outputs(run)
    held_out = _action(
        actions,
        "held-out",
        "score each suite by an offline engine that learned from the others",
    )
    held_out.add_argument("suites", nargs="+", metavar="SUITE")
    _ablate(held_out)
    _bench_result(held_out)
    profile = _action(actions, "profile", "where the time of a run goes, by module")
    profile.add_argument("suites", nargs="+", metavar="SUITE")
    _bench_outputs(profile)
    public = _action(actions, "public", "score an engine on public sets as they lie")
    for name in ("whowhen", "agentrx", "taubench"):
        public.add_argument(f"--{name}", metavar="DIR", help="the set's folder, as published")
    public.add_argument(
        "--policies",
        default="fixtures/public/taubench",
        metavar="DIR",
        help="the contexts of tau-bench's agents: retail/ and airline/",
    )
    _bench_outputs(public)
    report = _action(actions, "report", "one report from results of run and public")
    report.add_argument("results", nargs="+", metavar="RESULT.json")
    _bench_texts(report)
    methods = _action(actions, "methods", "what methods reach and cost, a row a result of run")
    methods.add_argument("results", nargs="+", metavar="RESULT.json")
    _bench_suites(actions)
    compare = _action(actions, "compare", "paired differences between two results")
    compare.add_argument("a", metavar="A.json")
    compare.add_argument("b", metavar="B.json")
    compare.add_argument(
        "--min",
        action="append",
        default=[],
        metavar="METRIC=VALUE",
        help="fail where B is below that; may be given more than once",
    )


def _bench_suites(actions: Commands[argparse.ArgumentParser]) -> None:
    verify = _action(actions, "verify", "check that a benchmark folder is sound")
    verify.add_argument("suites", nargs="+", metavar="SUITE")
    simulate = _action(actions, "simulate", "make a labelled suite over a context")
    add = simulate.add_argument
    add("--context", required=True, metavar="DIR", help="the context repository to copy")
    add("--seed", type=int, default=1, metavar="N", help="the same seed gives the same bytes")
    add("--count", type=int, default=75, metavar="N", help="how many sessions")
    add("-o", "--output", required=True, metavar="DIR", help="a folder that is new or empty")
    add(
        "--per-category",
        action="append",
        default=[],
        metavar="CATEGORY=N",
        help="sessions of a category, such as KB_CONTENT_GAP=20, DELETE=5, CONTROL=10; "
        "may be given more than once",
    )
    wording_arguments(simulate)


def _ablate(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "--ablate",
        action="append",
        default=[],
        choices=PARTS,
        metavar="PART",
        help=f"also score the offline engine without a part of it: {', '.join(PARTS)}; may be "
        "given more than once",
    )


def _bench_outputs(action: argparse.ArgumentParser) -> None:
    engine_arguments(action)
    _bench_result(action)


def _bench_result(action: argparse.ArgumentParser) -> None:
    action.add_argument(
        "--json", metavar="FILE", help="write every row and metric there; - is stdout"
    )
    _bench_texts(action)


def _bench_texts(action: argparse.ArgumentParser) -> None:
    action.add_argument("--markdown", metavar="FILE", help="write the report there")
    action.add_argument("--html", metavar="FILE", help="write a page with plots there")
