"""Records of a byte stream, one in memory at a time where the stream allows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import msgspec

from bot.sources.bytes import whole_file

LONGEST_RECORD = 64 * 1024 * 1024


def lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Numbered non-blank lines; None for one that is too long to hold."""
    number = 0
    while line := stream.readline(LONGEST_RECORD + 1):
        number += 1
        if len(line) > LONGEST_RECORD:
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_RECORD)
            yield number, None
        elif line := line.removeprefix(b"\xef\xbb\xbf").strip():
            yield number, line


def piped(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Standard input has no name to go by: one record a line, unless the first line is none."""
    first = next(lines(stream), None)
    if first is None:
        return
    number, line = first
    if line is None or _is_object(line):
        yield first
        yield from ((number + n, later) for n, later in lines(stream))
    else:
        rest = whole(whole_file(stream, line + b"\n"))
        yield from ((number - 1 + n, record) for n, record in rest)


def _is_object(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as problem:
        return isinstance(problem, RecursionError)
    return True


def whole(data: bytes) -> Iterator[tuple[int, bytes | None]]:
    """A `.json` file: one record, a list of records, or in fact one record a line."""
    data = data.removeprefix(b"\xef\xbb\xbf").strip()
    try:
        items = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        split = data.split(b"\n")
        # Of a single indented object no line both opens and closes at the margin.
        several = any(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in split)
        parts: list[bytes | None] = [*split] if several else [data]
        yield from ((n, part) for n, part in enumerate(parts, 1) if part and part.strip())
        return
    yield from ((n, bytes(item)) for n, item in enumerate(items, 1))
