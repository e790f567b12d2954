"""What every command that reads sessions does alike: request, outputs, picture, exit code."""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bot.atomic import write
from bot.commands.moment import moment
from bot.commands.outcome import SOME_FAILED
from bot.compose import Analysis, Request, analyze
from bot.defang import log_line, visible
from bot.errors import ConfigError
from bot.forges.dry_run import decisions, summary
from bot.forges.site import Site
from bot.forges.table import FORGES
from bot.model_arguments import idle_flags, model_flags
from bot.records.plan import Published
from bot.redact import STRICT, Privacy, redact
from bot.reports.actions import analysis_outputs, append_summary
from bot.reports.report import encode, report
from bot.reports.terminal import render

log = logging.getLogger("trace-bot")

STDOUT = "-"
# Back to the first column, and the rest of the line gone.
CLEAR = "\r\x1b[K"
NARROW, WIDE = 60, 120


def analysis(
    args: argparse.Namespace,
    environment: Mapping[str, str],
    only: str | None = None,
    window: datetime | None = None,
) -> Analysis:
    """The analysis that the arguments ask for, of one session where its id is given. `window` is
    from when on stores are read where the arguments do not say it."""
    request = Request(
        context=Path(args.context),
        trajectories=tuple(args.trajectories),
        sources=tuple(args.source),
        config=Path(args.config) if args.config else None,
        engine=args.engine,
        model=model_flags(args),
        limit=args.limit,
        since=moment(args.since, datetime.now(UTC)) if args.since else None,
        window=window,
        only=only,
    )
    try:
        found = analyze(request, environment, _progress)
    finally:
        if sys.stderr.isatty():
            sys.stderr.write(CLEAR)
    for remark in _remarks(args, found):
        log.warning("%s", log_line(remark))
    return found


def _remarks(args: argparse.Namespace, found: Analysis) -> Iterator[str]:
    """What a person may have meant otherwise."""
    if idle := idle_flags(args, found.result.engine):
        yield idle
    if not found.result.sessions and not found.result.skipped:
        named = (*args.trajectories, *args.source) or tuple(found.settings.config.sources)
        places = ", ".join(named)
        left = f"; --since {args.since} leaves out what began earlier" if args.since else ""
        yield f"0 sessions in {places}{left}"


def leave_outputs(found: Analysis, args: argparse.Namespace) -> dict[str, str]:
    """The report in the file of `--json`, patches, bodies, plan and summary where `--out` says,
    and the job summary of a workflow. Returns the step's outputs, not yet written."""
    if args.json and args.json != STDOUT:
        write(
            Path(args.json),
            encode(report(found.result, partial(redact, privacy=found.settings.privacy))),
        )
    if args.out:
        site = Site(found.repo, found.settings, out=Path(args.out))
        try:
            FORGES["dry-run"](site).publish(found.plan)
        except OSError as refused:
            raise ConfigError(f"--out {args.out}: {refused.strerror}; name a folder") from refused
    units = tuple(decisions(found.plan.proposals, found.settings))
    append_summary(os.environ, summary(found.plan, units))
    plan = getattr(args, "plan", None)
    return analysis_outputs(found.result, units, Path(plan) if plan else None)


def shown(
    found: Analysis, args: argparse.Namespace, published: Sequence[Published] | None = None
) -> str:
    """What stdout gets: the report alone for `--json -`, else the picture for the terminal, as
    wide as that is and coloured where that is wanted; it says what was `published`, or would be."""
    if args.json == STDOUT:
        return encode(
            report(found.result, partial(redact, privacy=found.settings.privacy))
        ).decode()
    terminal = sys.stdout is not None and sys.stdout.isatty()
    wanted = terminal or bool(os.environ.get("FORCE_COLOR"))
    color = wanted and not os.environ.get("NO_COLOR")
    width = min(max(shutil.get_terminal_size((100, 24)).columns, NARROW), WIDE)
    units = tuple(
        decisions(found.plan.proposals, found.settings) if published is None else published
    )
    safe = partial(clean, privacy=found.settings.privacy)
    return render(found.result, safe, units, width=width, color=color)


def clean(text: str, privacy: Privacy = STRICT) -> str:
    """Session text made fit for a terminal: secrets replaced, control characters gone."""
    return visible(redact(text, privacy))


def exit_code(found: Analysis) -> int:
    """0, or 8 where some sessions failed and the rest was done."""
    return SOME_FAILED if any(s.error is not None for s in found.result.sessions) else 0


def _progress(done: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"{CLEAR}{done} session{'' if done == 1 else 's'} read")
        sys.stderr.flush()
