"""Open session files as byte streams: plain, gzip or Zstandard, a file, a folder, or stdin."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from bot.errors import SourceError

SUFFIXES = (".json", ".jsonl", ".ndjson")
PACKED = (".gz", ".zst")
STDIN = "-"
LARGEST_FILE = 256 * 1024 * 1024
# A Zstandard block of four bytes can hold 128 KiB, so little is unpacked at a time.
CHUNK = 2048


def session_files(path: str, suffixes: Sequence[str] = SUFFIXES) -> list[Path | None]:
    """The session files below a path, sorted; `[None]` for stdin (`-`).

    A file that was named is taken whatever its name is, a pipe as well; in a folder only names
    that end like session files count. Raises `SourceError` where there is nothing to read.
    """
    if path == STDIN:
        return [None]
    root = _standing(path)
    if not root.is_dir():
        return [root]
    endings = tuple(suffix + packed for suffix in suffixes for packed in ("", *PACKED))
    found = sorted(p for p in root.rglob("*") if p.is_file() and p.name.lower().endswith(endings))
    if not found:
        raise SourceError(f"{path} holds no session file ({', '.join(endings)})")
    return list(found)


def _standing(path: str) -> Path:
    if not path:
        raise SourceError("the path is empty; give a file, a folder, or - for stdin")
    try:
        if Path(path).exists():
            return Path(path)
    except OSError as refused:
        raise SourceError(f"{path}: {refused.strerror}; give a file or folder to read") from refused
    raise SourceError(f"{path} does not exist; give a file, a folder, or - for stdin")


def bare_name(path: Path | None) -> str:
    """The file's name in lower case without the ending of its packing.

    Empty for stdin and other pipes: they have no name to go by.
    """
    if path is None or not path.is_file():
        return ""
    name = path.name.lower()
    return name.rpartition(".")[0] if name.endswith(PACKED) else name


@contextmanager
def opened(path: Path | None) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a session file, read as they are needed; damage is an `OSError`."""
    ending = "" if path is None else path.suffix.lower()
    if path is None:
        yield _standard_input()
    elif ending == ".gz":
        try:
            with gzip.open(path, "rb") as stream:
                yield cast("IO[bytes]", stream)
        except (EOFError, zlib.error) as damaged:
            raise OSError(f"damaged gzip data: {damaged}") from damaged
    elif ending == ".zst":
        with path.open("rb") as packed, io.BufferedReader(_Zstandard(packed)) as stream:
            yield stream
    else:
        with path.open("rb") as stream:
            yield stream


def whole_file(stream: IO[bytes], head: bytes = b"") -> bytes:
    """All bytes behind `head`, which were read already. Raises `OSError` for too many to hold."""
    data = head + stream.read(LARGEST_FILE + 1 - len(head))
    if len(data) > LARGEST_FILE:
        limit = LARGEST_FILE // (1024 * 1024)
        raise OSError(f"it holds more than {limit} MiB in one piece; write one session a line")
    return data


def _standard_input() -> IO[bytes]:
    # The interpreter sets it to None where the program was started with stdin closed.
    if sys.stdin is None:
        raise SourceError("standard input is closed; name a file, or pipe the sessions in")
    return sys.stdin.buffer


class _Zstandard(io.RawIOBase):
    """The content of all frames of a stream.

    The library's own reader takes the end of a stream for the end of its data, and stops behind
    the first frame.
    """

    def __init__(self, packed: IO[bytes]) -> None:
        import zstandard

        self._packed = packed
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame: Any = None
        self._rest = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and self._fill():
            pass
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _fill(self) -> bool:
        """Unpack a little more; False behind the last frame."""
        import zstandard

        packed = self._rest or self._packed.read(CHUNK)
        if not packed and self._frame is not None:
            raise OSError("damaged Zstandard data: it breaks off in the middle")
        if not packed:
            return False
        self._frame = self._frame or self._decompressor.decompressobj()
        try:
            self._ready = memoryview(self._frame.decompress(packed))
        except zstandard.ZstdError as damaged:
            raise OSError(f"damaged Zstandard data: {damaged}") from damaged
        self._rest = self._frame.unused_data
        if self._frame.eof:
            self._frame = None
        return True
