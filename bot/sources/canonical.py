"""Canonical trajectories from `.json` and `.jsonl` files, one session in memory at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import msgspec

from bot.records.report import Skipped
from bot.records.trajectory import SCHEMA, Trajectory
from bot.sources.bytes import opened, session_files
from bot.sources.lines import LONGEST_RECORD, lines, piped, whole

VALUE = re.compile(r"^(Invalid (?:\w+ )?value) .*", re.DOTALL)
_FAMILY, _MAJOR = "trace-bot/trajectory/v", 1


class CanonicalSource:
    """Sessions of one or more files, folders, or stdin, in the order of their names."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = tuple(paths)

    def pull(self, since: datetime | None) -> Iterator[Trajectory | Skipped]:
        """Every session that started at or after `since`, and a `Skipped` for each bad record."""
        for path in self._paths:
            for file in session_files(path):
                for item in read(file):
                    if isinstance(item, Skipped) or not older(item, since):
                        yield item


def older(trajectory: Trajectory, since: datetime | None) -> bool:
    """Whether the session is known to have started before `since`; unknown times are kept."""
    if since is None or trajectory.started_at is None:
        return False
    try:
        started = datetime.fromisoformat(trajectory.started_at)
    except ValueError:
        return False
    if started.tzinfo is None:
        started = started.replace(tzinfo=since.tzinfo)
    return started < since


def read(path: Path | None) -> Iterator[Trajectory | Skipped]:
    """The sessions of one file. A file that breaks off in the middle gives what came before."""
    name = "<stdin>" if path is None else str(path)
    one = path is not None and ".jsonl" not in path.name and ".ndjson" not in path.name
    line = 0
    try:
        with opened(path) as stream:
            if one:
                records = whole(stream.read())
            else:
                records = piped(stream) if path is None else lines(stream)
            for line, record in records:
                yield decode(record, f"{name}:{line}")
    except OSError as broken:
        yield Skipped(f"{name}:{line + 1}", f"the file could not be read further: {broken}")


def decode(record: bytes | None, where: str) -> Trajectory | Skipped:
    """One record as a trajectory, or why it is none and what would mend it."""
    if record is None:
        limit = LONGEST_RECORD // (1024 * 1024)
        return Skipped(where, f"the record is longer than {limit} MiB; split the session")
    try:
        trajectory = msgspec.json.decode(record, type=Trajectory)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        return Skipped(where, _reason(problem))
    return _sound(trajectory, where)


def _sound(trajectory: Trajectory, where: str) -> Trajectory | Skipped:
    """The trajectory, or what the types alone do not say about it."""
    version = trajectory.schema.removeprefix(_FAMILY).partition(".")[0]
    if not trajectory.schema.startswith(_FAMILY) or not version.isdigit():
        return Skipped(where, f"`schema` is not {SCHEMA}; convert the session first")
    if int(version) > _MAJOR:
        return Skipped(where, f"`schema` is newer than {SCHEMA}; update trace-bot")
    ids = [turn.turn_id for turn in trajectory.turns]
    if any(later <= earlier for earlier, later in pairwise(ids)):
        return Skipped(where, "`turns` are not in ascending order of `turn_id`; number them anew")
    if len({node.node_id for node in trajectory.nodes}) < len(trajectory.nodes):
        return Skipped(where, "`nodes` repeat a `node_id`; each must be unique in its session")
    return trajectory


def _reason(problem: Exception) -> str:
    if isinstance(problem, RecursionError):
        return "the record is nested too deeply; flatten its tool inputs and outputs"
    if isinstance(problem, UnicodeDecodeError):
        return "the record is not UTF-8; write it again as UTF-8"
    # What is wrong with a value is told with the value, which is the session's own.
    said, at, place = str(problem).rpartition(" - at `$")
    shown = VALUE.sub(r"\1", said or place)
    return f"{shown}{at}{place if at else ''}; see `trace-bot schema trajectory`"
