"""Canonical trajectories from `.json` and `.jsonl` files, one session in memory at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgspec

from bot.records.report import Skipped
from bot.records.trajectory import (
    SCHEMA,
    FeedbackType,
    NodeType,
    Role,
    ToolStatus,
    Trajectory,
)
from bot.sources.bytes import bare_name, opened, session_files, whole_file
from bot.sources.lines import LONGEST_RECORD, lines, piped, whole

# What stands in place of a word of the format; told where it is a plain word and no more.
WORD = re.compile(r"Invalid enum value '(?P<word>[A-Za-z_-]{1,24})'")
CHOICES = {
    "turns.role": Role,
    "nodes.type": NodeType,
    "nodes.tool.status": ToolStatus,
    "feedback.type": FeedbackType,
}
VALUE = re.compile(r"^(Invalid (?:\w+ )?value) .*", re.DOTALL)
# Byte order marks of UTF-16, and how a record begins without one.
WIDE = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"[\0", b"\0{", b"\0[")
FAMILY = re.compile(r"trace-bot/trajectory/v(?P<major>[0-9]{1,9})(?:\..*)?", re.DOTALL)
MAJOR = 1


class CanonicalSource:
    """Sessions of one or more files, folders, or stdin, in the order of their names.

    `repeated` tells, as far as was read, of sessions that came a second time: where, and where
    they came first. They are no fault of a file, and are read once.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = tuple(paths)
        self.repeated: list[Skipped] = []

    def pull(self, since: datetime | None) -> Iterator[Trajectory | Skipped]:
        """Every session that started at or after `since`, and a `Skipped` for each bad record."""
        first: dict[str, str] = {}
        for where, item in self._records():
            if isinstance(item, Skipped):
                yield item
            elif item.session_id in first:
                place = first[item.session_id]
                self.repeated.append(Skipped(where, f"its `session_id` was already read: {place}"))
            elif not older(item, since):
                first[item.session_id] = where
                yield item

    def _records(self) -> Iterator[tuple[str, Trajectory | Skipped]]:
        for path in self._paths:
            for file in session_files(path):
                yield from placed(file)


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
    return (item for _, item in placed(path))


def placed(path: Path | None) -> Iterator[tuple[str, Trajectory | Skipped]]:
    """The sessions of one file, each with its place as `file:line`."""
    name = "<stdin>" if path is None else str(path)
    known = bare_name(path)
    line = 0
    try:
        with opened(path) as stream:
            if not known:
                records = piped(stream)
            elif ".jsonl" in known or ".ndjson" in known:
                records = lines(stream)
            else:
                records = whole(whole_file(stream))
            for line, record in records:
                where = f"{name}:{line}"
                yield where, decode(record, where)
    except OSError as broken:
        where = f"{name}:{line + 1}"
        reason = f"the file could not be read further: {broken}"
        yield where, Skipped(where, reason, rest=True)


def decode(record: bytes | None, where: str) -> Trajectory | Skipped:
    """One record as a trajectory, or why it is none and what would mend it."""
    if record is None:
        limit = LONGEST_RECORD // (1024 * 1024)
        return Skipped(where, f"the record is longer than {limit} MiB; split the session")
    try:
        trajectory = msgspec.json.decode(record, type=Trajectory)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        return Skipped(where, _form(record) or _reason(problem))
    return _sound(trajectory, where)


def _sound(trajectory: Trajectory, where: str) -> Trajectory | Skipped:
    """The trajectory, or what the types alone do not say about it."""
    version = FAMILY.fullmatch(trajectory.schema)
    if version is None:
        return Skipped(where, f"`schema` is not {SCHEMA}; convert the session first")
    if int(version["major"]) > MAJOR:
        return Skipped(where, f"`schema` is newer than {SCHEMA}; update trace-bot")
    ids = [turn.turn_id for turn in trajectory.turns]
    if any(later <= earlier for earlier, later in pairwise(ids)):
        return Skipped(where, "`turns` are not in ascending order of `turn_id`; number them anew")
    if len({node.node_id for node in trajectory.nodes}) < len(trajectory.nodes):
        return Skipped(where, "`nodes` repeat a `node_id`; each must be unique in its session")
    return trajectory


def _form(record: bytes) -> str | None:
    """What is wrong with the whole of a record rather than with a value in it."""
    if record.startswith(WIDE):
        return "the file is UTF-16 or UTF-32; save it as UTF-8"
    if record == b"{":
        return "the record goes on in the next lines; write it in one line, or name the file .json"
    if not record.startswith(b"["):
        return None
    try:
        msgspec.json.decode(record, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "the list breaks off or is no JSON; write the file again"
    return "this is a list and no session; write one session a line, or name the file .json"


def _reason(problem: Exception) -> str:
    if isinstance(problem, RecursionError):
        return "the record is nested too deeply; flatten its tool inputs and outputs"
    if isinstance(problem, UnicodeDecodeError) or "UTF-8" in str(problem).partition(" - at")[0]:
        return "the record is not UTF-8; write it again as UTF-8"
    # What is wrong with a value is told with the value, which is the session's own.
    said, at, place = str(problem).rpartition(" - at `$")
    word = WORD.fullmatch(said)
    known = CHOICES.get(re.sub(r"\[\d+\]", "", place).strip(".`"))
    if known:
        said = f"is {word['word']}" if word else "holds no word of the format"
        return f"`$.{place.strip('.`')}` {said}; write one of {', '.join(get_args(known))}"
    shown = VALUE.sub(r"\1", said or place)
    return f"{shown}{at}{place if at else ''}; see `trace-bot schema trajectory`"
