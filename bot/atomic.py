"""Files appear whole or not at all, so that an interrupt leaves no half state."""

from __future__ import annotations

import glob
import gzip
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from bot.errors import ConfigError

UNFINISHED = ".unfinished"
# Seconds without a word written after which the writer is taken to be gone.
ABANDONED = 3600


def write(path: Path, data: bytes) -> None:
    """Write the file in one step; folders above it are made. Raises `ConfigError`."""
    with writing(path, pack=False) as stream:
        stream.write(data)


@contextmanager
def writing(path: Path, *, pack: bool = True) -> Iterator[IO[bytes]]:
    """A stream whose content becomes `path` when the block ends without an error.

    With `pack`, a name that ends in `.gz` or `.zst` is compressed. Raises `ConfigError` where the
    system refuses to write there.
    """
    # A device or a pipe is written to; putting a file in its place would remove it.
    standing = path.exists() and not path.is_file() and not path.is_dir()
    try:
        with path.open("wb") if standing else _replacing(path, pack) as stream:
            yield stream
    except OSError as refused:
        raise ConfigError(
            f"{path}: {refused.strerror or refused}; name another place to write to"
        ) from refused


@contextmanager
def _replacing(path: Path, pack: bool) -> Iterator[IO[bytes]]:
    path.parent.mkdir(parents=True, exist_ok=True)
    _clear(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=UNFINISHED)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as plain, _packed(plain, path if pack else Path()) as stream:
            yield stream
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _clear(path: Path) -> None:
    """Remove what earlier writers of the file left behind when they were killed."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{UNFINISHED}"):
        # Another run may clear the same folder.
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


@contextmanager
def _packed(plain: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    if path.name.endswith(".gz"):
        with gzip.GzipFile(fileobj=plain, mode="wb", mtime=0) as stream:
            yield cast("IO[bytes]", stream)
    elif path.name.endswith(".zst"):
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(plain, closefd=False) as packed:
            yield cast("IO[bytes]", packed)
    else:
        yield plain
