"""What Claude Code's subagents wrote into files of their own, and where in the session it belongs.

A session `ID.jsonl` has them in `ID/subagents/agent-*.jsonl`, older ones next to it; each line
names the session and the agent. The line of the session that answers the call names the agent, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.records.report import Skipped
from bot.sources.logs.json_files import Record, file_lines

NAMES = "agent-*.jsonl*"
# Beyond that it is no session of one person.
MOST = 500

Entry = dict[str, Any]


def beside(folder: Path) -> Mapping[str, Sequence[Path]]:
    """The files of subagents in a folder, by the session that their first line names."""
    found: dict[str, list[Path]] = {}
    for file in sorted(folder.glob(NAMES)):
        rows = (r.value for r in file_lines(file, str(file)) if isinstance(r, Record))
        known = next((row for row in rows if isinstance(row, dict)), {})
        found.setdefault(str(known.get("sessionId")), []).append(file)
    return found


def below(file: Path) -> list[Path]:
    """The files of subagents in the folder that belongs to a session's file."""
    return sorted((file.parent / file.name.partition(".")[0] / "subagents").rglob(NAMES))


def agents(files: Sequence[Path]) -> tuple[dict[str, list[Record]], list[Skipped]]:
    """What each agent wrote, in order of the files, and the lines that cannot be read."""
    found: dict[str, list[Record]] = {}
    bad: list[Skipped] = []
    for file in files[:MOST]:
        for record in file_lines(file, str(file)):
            if isinstance(record, Skipped):
                bad.append(record)
            elif isinstance(record.value, dict):
                name = str(record.value.get("agentId") or file.name.partition(".")[0])
                found.setdefault(name.removeprefix("agent-"), []).append(record)
    if len(files) > MOST:
        bad.append(Skipped(str(files[MOST]), f"only {MOST} subagents of a session are read"))
    return found, bad


def spliced(lines: Sequence[Record], found: Mapping[str, list[Record]]) -> Iterator[Record]:
    """The lines of a session with those of its agents where they worked: before the report of one,
    else by time, else at the end."""
    waiting = dict(found)
    reported = {_agent(line) for whole in (lines, *found.values()) for line in whole}

    def placed(part: Sequence[Record]) -> Iterator[Record]:
        for line in part:
            name = _agent(line)
            due = [
                n for n in waiting if n == name or (n not in reported and _after(waiting[n], line))
            ]
            for agent in due:
                if agent in waiting:
                    yield from placed(waiting.pop(agent))
            yield line

    yield from placed(lines)
    while waiting:
        yield from placed(waiting.pop(next(iter(waiting))))


def _agent(line: Record) -> str:
    """Whose report a line holds, if any."""
    told = line.value.get("toolUseResult")
    return str(told.get("agentId") or "") if isinstance(told, dict) else ""


def _after(agent: Sequence[Record], line: Record) -> bool:
    """Whether a line was written after an agent had begun."""
    begun, at = agent[0].value.get("timestamp"), line.value.get("timestamp")
    return isinstance(begun, str) and isinstance(at, str) and at > begun
