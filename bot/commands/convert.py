"""`convert`: sessions of another format in the canonical form, one JSON object a line."""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import msgspec

from bot.atomic import writing
from bot.commands.moment import moment
from bot.commands.outcome import Outcome
from bot.commands.streams import standard_output
from bot.defang import log_line
from bot.errors import ConfigError, SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.redact import redact
from bot.sources.hosts import naming
from bot.sources.opened import NAMES, given, known, opened
from bot.sources.recognise import format_of
from context_repo_schema.config import Config

log = logging.getLogger("trace-bot")

SHOWN = 5
STDOUT = "-"
MOST_BAD = Config().max_bad_records


def execute(args: argparse.Namespace) -> Outcome:
    """Convert everything below the input, or in the store at that address; what cannot be read
    is named and left out. Raises `SourceError` where that is more than a run would allow."""
    if args.source not in NAMES:
        raise ConfigError(f"there is no source {args.source!r}; known are {known()}")
    asked = given(args.source, args.input)
    source = opened(args.source, asked, naming(os.environ, asked.url))
    since = moment(args.since, datetime.now(UTC)) if args.since else None
    written = skipped = 0
    with _output(args.output) as stream:
        for item in map(_encoded, source.pull(since)):
            if isinstance(item, Skipped):
                skipped += 1
                if skipped <= SHOWN:
                    log.warning("left out %s", log_line(redact(f"{item.where}: {item.reason}")))
                continue
            stream.write(item + b"\n")
            written += 1
        if written == 0 and skipped:
            raise SourceError(
                f"no session could be read from {args.input} as {args.source}; {_cure(args.input)}"
            )
        # One record is no share: of a log that is still being written the last line is cut.
        if skipped > 1 and skipped * 100 > MOST_BAD * (written + skipped):
            raise SourceError(
                f"{skipped} of {written + skipped} records could not be read from {args.input}, "
                f"more than {MOST_BAD} %; is {args.source} the right source?"
            )
    if written == 0:
        log.warning("0 sessions in %s as %s", log_line(args.input), args.source)
    log.info("%d sessions written, %d records left out", written, skipped)
    return Outcome()


def _cure(place: str) -> str:
    """What to do with an input in which the source found nothing."""
    kind = format_of(place)
    if kind:
        return f"it holds sessions of {kind}: give --source {kind}"
    return f"give another file, or the --source that it is of: {known()}"


def _encoded(item: Trajectory | Skipped) -> bytes | Skipped:
    if isinstance(item, Skipped):
        return item
    try:
        return msgspec.json.encode(item)
    except UnicodeEncodeError:
        return Skipped(item.session_id, "its text holds half a character (a lone surrogate)")
    except (OverflowError, RecursionError):
        return Skipped(item.session_id, "a number is too large or the nesting too deep")


@contextmanager
def _output(name: str) -> Iterator[IO[bytes]]:
    with standard_output() if name == STDOUT else writing(Path(name)) as stream:
        yield stream
