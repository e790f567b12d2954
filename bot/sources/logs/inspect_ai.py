"""Inspect AI logs, `.json` and `.eval`: one sample and epoch is one session.

The target, the scorer's explanation and its answer are the grader's knowledge and are left behind.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bot.records.report import Skipped
from bot.records.trajectory import Agent, Feedback, Trajectory
from bot.sources.bytes import bare_name, session_files
from bot.sources.logs.json_files import Record, document, file_name, json_value
from bot.sources.logs.packed import MemberError, member
from bot.sources.messages import MessagesError, trajectory

SUFFIXES = (".json", ".eval")
ATTACHMENT = "attachment://"


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every sample below a path. The run's id keeps the same sample of two runs apart."""
    for file in session_files(path, SUFFIXES):
        if file is not None and bare_name(file) and zipfile.is_zipfile(file):
            yield from _archive(file, path)
        else:
            yield from _log(file, path)


def _log(file: Path | None, path: str) -> Iterator[Trajectory | Skipped]:
    record = document(file, path)
    if record is None:
        return
    if isinstance(record, Skipped):
        yield record
        return
    log = record.value
    if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
        yield Skipped(record.where, "no Inspect AI log: `eval` is missing")
        return
    samples = log.get("samples")
    for number, sample in enumerate(samples if isinstance(samples, list) else (), 1):
        part = Record(sample, record.name, number, f"{record.where}#{number}", record.notes)
        yield _sample(part, log["eval"])


def _archive(file: Path, path: str) -> Iterator[Trajectory | Skipped]:
    """One sample in memory at a time."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            head = json_value(member(archive, "header.json"))[0] if "header.json" in names else {}
            run = head.get("eval") if isinstance(head, dict) else None
            for name in names:
                if name.startswith("samples/") and name.endswith(".json"):
                    part = Record(None, file_name(file, path), 1, f"{file}#{name}")
                    yield _packed(archive, name, run if isinstance(run, dict) else {}, part)
    except (MemberError, zipfile.BadZipFile, OSError, ValueError, RecursionError) as broken:
        reason = f"the archive could not be read: {type(broken).__name__}"
        yield Skipped(str(file), reason, rest=True)


def _packed(
    archive: zipfile.ZipFile, name: str, run: dict[str, Any], part: Record
) -> Trajectory | Skipped:
    try:
        value, notes = json_value(member(archive, name))
        return _sample(replace(part, value=value, notes=notes), run)
    except MemberError as broken:
        return Skipped(part.where, str(broken))
    except (ValueError, RecursionError):
        return Skipped(part.where, "no JSON that can be read")


def _sample(record: Record, run: dict[str, Any]) -> Trajectory | Skipped:
    sample = record.value
    if not isinstance(sample, dict) or not isinstance(sample.get("messages"), list):
        return Skipped(record.where, "no sample: `messages` is missing")
    model = run.get("model")
    try:
        found = trajectory(
            _session_id(sample, run, record),
            [_attached(message, sample.get("attachments")) for message in sample["messages"]],
            feedback=tuple(_scores(sample.get("scores"))),
            agent=Agent(model=model) if isinstance(model, str) else None,
            metadata=record.metadata("inspect-ai"),
        )
    except MessagesError as problem:
        return Skipped(record.where, str(problem))
    started, ended = (_text(sample.get(key)) for key in ("started_at", "completed_at"))
    return replace(found, started_at=started, ended_at=ended)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _session_id(sample: dict[str, Any], run: dict[str, Any], record: Record) -> str:
    named = (run.get("run_id"), run.get("eval_id"), record.name)
    group = next(name for name in named if isinstance(name, str))
    epoch = sample.get("epoch", 1)
    name = f"{group}-{sample.get('id', record.line)}"
    return name if epoch == 1 else f"{name}-epoch{epoch}"


def _attached(value: Any, attachments: Any) -> Any:
    """A message with the long texts that its sample keeps elsewhere."""
    if not isinstance(attachments, dict):
        return value
    if isinstance(value, str) and value.startswith(ATTACHMENT):
        return attachments.get(value.removeprefix(ATTACHMENT), value)
    if isinstance(value, dict):
        return {key: _attached(inner, attachments) for key, inner in value.items()}
    if isinstance(value, list):
        return [_attached(inner, attachments) for inner in value]
    return value


def _scores(scores: Any) -> Iterator[Feedback]:
    """Each scorer's value; several values of one scorer are told one by one."""
    for score in scores.values() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        for part in value.values() if isinstance(value, dict) else (value,):
            if isinstance(part, str):
                yield Feedback("label", part, source="code")
            elif isinstance(part, int | float) and math.isfinite(part):
                yield Feedback("score", part, source="code")
