"""What a store or a collector wrote into files, read into sessions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.provenance.rules import Rules
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.bytes import SUFFIXES, bare_name, opened, session_files, whole_file
from bot.sources.lines import LONGEST_RECORD, lines, piped, whole
from bot.sources.spans import protobuf
from bot.sources.spans.session import trajectory
from bot.sources.spans.span import NotReadable, Span, Vote
from bot.sources.spans.spool import spool
from context_repo_schema.config import BadVote

# What one record of a format holds: spans, votes, or both.
Read = Callable[[Any], Iterator[Span | Vote]]
PROTOBUF = (".pb", ".bin", ".otlp", ".proto")


def sessions(
    path: str,
    read: Read,
    bad_votes: Mapping[str, BadVote] | None = None,
    rules: Rules | None = None,
) -> Iterator[Trajectory | Skipped]:
    """Every session below a path: bad records first as `Skipped`, then session by session."""
    with spool() as kept:
        for where, row in rows(path):
            if isinstance(row, Skipped):
                yield row
                continue
            try:
                for item in read(row):
                    kept.put(item)
            except NotReadable as problem:
                yield Skipped(where, f"the record was left out: {problem}")
        for session in kept.sessions():
            yield trajectory(session, bad_votes, rules)


def rows(path: str) -> Iterator[tuple[str, Any]]:
    """Every record below a path as JSON with its place, or a `Skipped` where it is none."""
    for file in session_files(path, (*SUFFIXES, *PROTOBUF)):
        name = "<stdin>" if file is None else str(file)
        known, number = bare_name(file), 0
        try:
            with opened(file) as stream:
                if known.endswith(PROTOBUF):
                    for number, request in enumerate(protobuf.requests(whole_file(stream)), 1):
                        yield f"{name}#{number}", request
                    continue
                if known.endswith(".json"):
                    found = whole(whole_file(stream))
                else:
                    found = lines(stream) if known else piped(stream)
                for number, record in found:
                    yield from _items(record, f"{name}:{number}")
        except OSError as broken:
            where = f"{name}:{number + 1}"
            reason = f"the file could not be read further: {broken}"
            yield where, Skipped(where, reason, rest=True)
        except NotReadable as problem:
            yield name, Skipped(name, f"the file was left out: {problem}", rest=True)


def _items(record: bytes | None, where: str) -> Iterator[tuple[str, Any]]:
    """The record, or each item of a page that an API answered."""
    if record is None:
        limit = LONGEST_RECORD // (1024 * 1024)
        yield where, Skipped(where, f"the record is longer than {limit} MiB; split the export")
        return
    try:
        row = json.loads(record.decode("utf-8", "replace"))
    except ValueError:
        yield where, Skipped(where, "no JSON; was the file cut off, or is it another format?")
        return
    except RecursionError:
        yield where, Skipped(where, "the record is nested too deeply")
        return
    listed = next((row[k] for k in ("data", "content") if isinstance(row, dict) and k in row), None)
    page = listed if isinstance(listed, list) else [row]
    yield from ((where, item) for item in page)
