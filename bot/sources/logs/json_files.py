"""JSON out of log files, line by line or file by file, with the place of every record."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bot.records.report import Skipped
from bot.sources.bytes import PACKED, SUFFIXES, bare_name, opened, session_files, whole_file
from bot.sources.lines import LONGEST_RECORD, lines

ENDINGS = (*SUFFIXES, *PACKED, ".traj", ".eval")
LONGEST_NUMBER = 18  # digits that fit into 64 bits


class Record(msgspec.Struct, frozen=True):
    """One JSON value with its line, and with its place as `file:line`.

    `name` is the file's, as `file_name` gives it; `notes` counts what was mended in the value,
    such as bytes that are no UTF-8.
    """

    value: Any
    name: str
    line: int
    where: str
    notes: Mapping[str, int] = {}

    def metadata(self, source: str) -> dict[str, Any]:
        """What a trajectory says of how it was read."""
        return {"source": source, **({"reading": dict(self.notes)} if self.notes else {})}

    def derived(self, part: int = 1) -> str:
        """An id for a session that has none, the same one at every reading: the name of its
        file, its line, and its part of the line where that holds several."""
        if part > 1:
            return f"{self.name}-{self.line}.{part}"
        return self.name if self.line == 1 else f"{self.name}-{self.line}"


def file_name(file: Path | None, path: str) -> str:
    """A file's name without suffixes, with the folders that lie between it and the path asked
    for, which keep runs of one task apart: `failed-task3`; `stdin` for a pipe."""
    if file is None or not bare_name(file):
        return "stdin"
    folders = file.relative_to(path).parts[:-1] if Path(path).is_dir() else ()
    name = file.name
    while name.lower().endswith(ENDINGS):
        name = name.rpartition(".")[0]
    return "-".join((*folders, name or file.name))


def records(path: str) -> Iterator[Record | Skipped]:
    """Every non-blank line below a path as JSON, in the order of the file names."""
    for file in session_files(path):
        yield from file_lines(file, path)


def file_lines(file: Path | None, path: str) -> Iterator[Record | Skipped]:
    """The non-blank lines of one file. Where it breaks off, what came before is kept."""
    place, name = "<stdin>" if file is None else str(file), file_name(file, path)
    number = 0
    try:
        with opened(file) as stream:
            for number, line in lines(stream):
                if line is None:
                    limit = LONGEST_RECORD // (1024 * 1024)
                    yield Skipped(f"{place}:{number}", f"the line is longer than {limit} MiB")
                else:
                    yield _record(line, name, number, f"{place}:{number}")
    except OSError as broken:
        reason = f"the file could not be read further: {broken}"
        yield Skipped(f"{place}:{number + 1}", reason, rest=True)


def documents(path: str, suffixes: Sequence[str] = SUFFIXES) -> Iterator[Record | Skipped]:
    """Every file below a path as one JSON document; files of lines give a record a line."""
    for file in session_files(path, suffixes):
        if any(part in bare_name(file) for part in (".jsonl", ".ndjson")):
            yield from file_lines(file, path)
        else:
            found = document(file, path)
            yield from () if found is None else (found,)


def document(file: Path | None, path: str) -> Record | Skipped | None:
    """One file as one JSON document; None for an empty one."""
    place = "<stdin>" if file is None else str(file)
    try:
        with opened(file) as stream:
            data = whole_file(stream)
    except OSError as broken:
        return Skipped(place, f"the file could not be read: {broken}", rest=True)
    return _record(data, file_name(file, path), 1, place) if data.strip() else None


def json_value(data: bytes) -> tuple[Any, dict[str, int]]:
    """The JSON value of some bytes, and how often something was mended in it.

    What is no UTF-8, and half a character in an escape, becomes a replacement mark; a number
    that is none (NaN, Infinity) becomes null, a very long one text. Raises `ValueError` or
    `RecursionError`.
    """
    notes: Counter[str] = Counter()
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    notes["encoding_replaced"] = text.count("\ufffd") - data.count("\ufffd".encode())
    value = _loaded(text, notes)
    if "\\ud" in text.lower():
        plain = json.dumps(value, ensure_ascii=False)
        whole = plain.encode("utf-8", "replace")
        notes["half_characters"] = plain != whole.decode()
        value = json.loads(whole)
    return value, {note: int(count) for note, count in notes.items() if count}


def _loaded(text: str, notes: Counter[str]) -> Any:
    def no_number(_: str) -> None:
        notes["non_finite_number"] += 1

    return json.loads(text, parse_constant=no_number, parse_int=_whole_number)


def _whole_number(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_NUMBER else digits


def _record(data: bytes, name: str, number: int, where: str) -> Record | Skipped:
    try:
        value, notes = json_value(data)
    except json.JSONDecodeError as problem:
        return Skipped(where, f"no JSON: {problem}")
    except (ValueError, RecursionError):
        return Skipped(where, "no JSON that can be read; flatten what is nested deeply")
    return Record(value, name, number, where, notes)
