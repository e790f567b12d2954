"""Standard output as it may be: full, closed, or left by its reader."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bot.errors import ConfigError


@contextmanager
def standard_output() -> Iterator[IO[bytes]]:
    """Standard output as bytes, written out when the block ends.

    A reader that has left is no failure. Raises `ConfigError` where nothing can be written.
    """
    if sys.stdout is None:
        raise ConfigError("standard output is closed; give it a place, such as > FILE")
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _drop_output()
    except OSError as refused:
        _drop_output()
        raise ConfigError(
            f"standard output: {refused.strerror or refused}; name another place to write to"
        ) from refused


def open_standard_error() -> None:
    """Let what is told go nowhere, rather than end the program, where stderr is closed."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end


def _drop_output() -> None:
    # The interpreter writes out what is left at its end, and must not fail again then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
