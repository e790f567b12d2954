"""Open session files as byte streams: plain, gzip or Zstandard, a file, a folder, or stdin."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from bot.errors import SourceError

SUFFIXES = (".json", ".jsonl", ".ndjson")
PACKED = ("", ".gz", ".zst")
STDIN = "-"


def session_files(path: str, suffixes: Sequence[str] = SUFFIXES) -> list[Path | None]:
    """The session files below a path, sorted; `[None]` for stdin (`-`).

    A file that was named is taken whatever its name is; in a folder only names that end like
    session files count. Raises `SourceError` where there is nothing to read.
    """
    if path == STDIN:
        return [None]
    root = Path(path)
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise SourceError(f"{path} does not exist; give a file, a folder, or - for stdin")
    endings = tuple(suffix + packed for suffix in suffixes for packed in PACKED)
    found = sorted(p for p in root.rglob("*") if p.is_file() and p.name.endswith(endings))
    if not found:
        raise SourceError(f"{path} holds no session file ({', '.join(endings)})")
    return list(found)


@contextmanager
def opened(path: Path | None) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a session file, read as they are needed; damage is an `OSError`."""
    if path is None:
        yield sys.stdin.buffer
    elif path.name.endswith(".gz"):
        try:
            with gzip.open(path, "rb") as stream:
                yield cast("IO[bytes]", stream)
        except (EOFError, zlib.error) as damaged:
            raise OSError(f"damaged gzip data: {damaged}") from damaged
    elif path.name.endswith(".zst"):
        import zstandard

        try:
            # The library's own reader has no readline.
            with zstandard.open(path, "rb") as unpacked, io.BufferedReader(unpacked) as stream:
                yield cast("IO[bytes]", stream)
        except zstandard.ZstdError as damaged:
            raise OSError(f"damaged Zstandard data: {damaged}") from damaged
    else:
        with path.open("rb") as stream:
            yield stream
