"""JSON out of log files, line by line or file by file, with the place of every record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from bot.records.report import Skipped
from bot.sources.bytes import SUFFIXES, opened, session_files

LONGEST_LINE = 64 * 1024 * 1024
LARGEST_FILE = 256 * 1024 * 1024


class Record(msgspec.Struct, frozen=True):
    """One JSON value with its file (None for stdin), its line, and both as `file:line`."""

    value: Any
    file: Path | None
    line: int
    where: str

    @property
    def stem(self) -> str:
        """The file's name without any suffix; `stdin` where there is no file."""
        return self.file.name.partition(".")[0] if self.file else "stdin"


def lines(path: str, suffixes: Sequence[str] = SUFFIXES) -> Iterator[Record | Skipped]:
    """Every non-blank line below a path as JSON, in the order of the file names."""
    for file in session_files(path, suffixes):
        yield from file_lines(file)


def file_lines(file: Path | None) -> Iterator[Record | Skipped]:
    """The non-blank lines of one file. Where it breaks off, what came before is kept."""
    name = "<stdin>" if file is None else str(file)
    number = 0
    try:
        with opened(file) as stream:
            for number, line in _numbered(stream):
                if line is None:
                    limit = LONGEST_LINE // (1024 * 1024)
                    yield Skipped(f"{name}:{number}", f"the line is longer than {limit} MiB")
                elif line.strip():
                    yield _record(line, file, number, f"{name}:{number}")
    except OSError as broken:
        yield Skipped(f"{name}:{number + 1}", f"the file could not be read further: {broken}")


def documents(path: str, suffixes: Sequence[str] = SUFFIXES) -> Iterator[Record | Skipped]:
    """Every file below a path as one JSON document; files of lines give a record a line."""
    for file in session_files(path, suffixes):
        if file is not None and any(part in file.name for part in (".jsonl", ".ndjson")):
            yield from file_lines(file)
        else:
            yield document(file)


def document(file: Path | None) -> Record | Skipped:
    """One file as one JSON document."""
    name = "<stdin>" if file is None else str(file)
    try:
        with opened(file) as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as broken:
        return Skipped(name, f"the file could not be read: {broken}")
    if len(data) > LARGEST_FILE:
        return Skipped(name, f"the file is larger than {LARGEST_FILE // (1024 * 1024)} MiB")
    return _record(data, file, 1, name)


def json_value(data: bytes) -> Any:
    """The JSON value of some bytes. What is no UTF-8, and half a character that was cut off in
    an escape, becomes a replacement mark. Raises `ValueError` or `RecursionError`."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    value = json.loads(text)
    if "\\ud" in text.lower():
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _record(data: bytes, file: Path | None, number: int, where: str) -> Record | Skipped:
    try:
        return Record(json_value(data), file, number, where)
    except json.JSONDecodeError as problem:
        return Skipped(where, f"no JSON: {problem}")
    except (ValueError, RecursionError):
        return Skipped(where, "no JSON that can be read: nested too deeply, or a number too long")


def _numbered(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines; None for one that is too long to hold."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
            yield number, None
        else:
            yield number, line
