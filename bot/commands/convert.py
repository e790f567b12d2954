"""`convert`: sessions of another format in the canonical form, one JSON object a line."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from bot.atomic import writing
from bot.commands.outcome import Outcome
from bot.errors import ConfigError, SourceError
from bot.records.report import Skipped
from bot.sources.bytes import STDIN
from bot.sources.table import FORMATS

log = logging.getLogger("trace-bot")

SHOWN = 5


def execute(args: argparse.Namespace) -> Outcome:
    """Convert everything below the input; what cannot be read is named and left out."""
    convert = FORMATS.get(args.source)
    if convert is None:
        raise ConfigError(f"there is no source {args.source!r}; known are {', '.join(FORMATS)}")
    written = skipped = 0
    with _output(args.output) as stream:
        for item in convert(args.input):
            if isinstance(item, Skipped):
                skipped += 1
                if skipped <= SHOWN:
                    log.warning("left out %s: %s", item.where, item.reason)
                continue
            stream.write(msgspec.json.encode(item) + b"\n")
            written += 1
        if written == 0:
            raise SourceError(f"no session could be read from {args.input} as {args.source}")
    log.info("%d sessions written, %d records left out", written, skipped)
    return Outcome()


@contextmanager
def _output(name: str) -> Iterator[IO[bytes]]:
    if name == STDIN:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with writing(Path(name)) as stream:
            yield stream
