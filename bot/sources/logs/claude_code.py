"""Claude Code session files: one session a file, one content block of a message a line.

The lines are read in the order of the file: their `parentUuid` is often dangling, and a
compaction would cut off what came before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from bot.provenance.reads import PATH_KEYS
from bot.records.report import Skipped
from bot.records.trajectory import Agent, Trajectory
from bot.sources.bytes import session_files
from bot.sources.logs.json_files import Record, file_lines, file_name
from bot.sources.logs.subagents import agents, below, beside, spliced
from bot.sources.steps import (
    Answered,
    Called,
    Marked,
    MessagesError,
    Said,
    Step,
    Thought,
    answer_of,
    session,
    text_of,
)

SUFFIXES = (".jsonl",)
# What the program puts between the user's own words.
TAGS = (
    *("system-reminder", "task-notification", "command-message", "command-contents"),
    *("local-command-caveat", "local-command-stdout", "local-command-stderr"),
    *("bash-input", "bash-stdout", "bash-stderr", "user-memory-input"),
    *("ide_opened_file", "ide_selection", "ide_diagnostics", "command-name", "command-args"),
)
INTERRUPTED = "[Request interrupted by user"
REJECTED_BUT = "To tell you how to proceed, the user said:\n"
SKILL_FOLDER = "Base directory for this skill: "


class Line(msgspec.Struct, frozen=True):
    """One line of the file as far as it tells of the session; wrong types are passed over."""

    type: str
    entry: dict[str, Any]
    message: dict[str, Any]

    @property
    def at(self) -> str | None:
        at = self.entry.get("timestamp")
        return at if isinstance(at, str) else None

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The content as blocks; a plain string is one block of text."""
        content = self.message.get("content")
        if isinstance(content, str):
            return [{"type": "text", "text": content}]
        return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every session file below a path, with the files of its subagents. Lines that cannot be read
    are named once a file."""
    neighbours: dict[Path, Mapping[str, Sequence[Path]]] = {}
    for file in session_files(path, SUFFIXES):
        if file is not None and file.parent not in neighbours:
            neighbours[file.parent] = beside(file.parent)
        yield from _session(file, path, {} if file is None else neighbours[file.parent])


def _session(
    file: Path | None, path: str, neighbours: Mapping[str, Sequence[Path]]
) -> Iterator[Trajectory | Skipped]:
    own, bad = _records(file_lines(file, path))
    main = [record.value for record in own if not record.value.get("isSidechain")]
    if own and not main:
        # A subagent's words are nobody's talk with a user, and are read with the session.
        if file == Path(path):
            told = "it is a subagent's alone; give the session's own file, or the folder of both"
            yield Skipped(path, told)
        return
    if main and file is not None:
        session_id = next((row["sessionId"] for row in main if row.get("sessionId")), "")
        found, more = agents([*neighbours.get(str(session_id), ()), *below(file)])
        own, bad = list(spliced(own, found)), [*bad, *more]
    if bad:
        rest = f" (and {len(bad) - 1} more lines)" if bad[1:] else ""
        yield msgspec.structs.replace(bad[0], reason=bad[0].reason + rest)
    if main:
        notes: Counter[str] = Counter()
        for record in own:
            notes.update(record.notes)
        whole = Record(None, file_name(file, path), 1, str(file or "<stdin>"), notes)
        yield _trajectory(_first_time([_line(record) for record in own]), whole)


def _records(found: Iterable[Record | Skipped]) -> tuple[list[Record], list[Skipped]]:
    """The lines that are objects, and those that cannot be read."""
    whole: list[Record] = []
    bad: list[Skipped] = []
    for record in found:
        if isinstance(record, Skipped):
            bad.append(record)
        elif isinstance(record.value, dict):
            whole.append(record)
    return whole, bad


def _line(record: Record) -> Line:
    message = record.value.get("message")
    kind = record.value.get("type")
    return Line(str(kind), record.value, message if isinstance(message, dict) else {})


def _first_time(lines: Sequence[Line]) -> list[Line]:
    """The lines without copies: a resumed session writes earlier ones again."""
    seen: set[str] = set()
    kept = []
    for line in lines:
        identity = line.entry.get("uuid")
        if isinstance(identity, str) and line.type in ("user", "assistant"):
            if identity in seen:
                continue
            seen.add(identity)
        kept.append(line)
    return kept


def _trajectory(lines: Sequence[Line], whole: Record) -> Trajectory | Skipped:
    session_id = _known(lines, "sessionId") or whole.name
    own = (line for line in lines if not line.entry.get("isSidechain"))
    models = [m for line in own if isinstance(m := line.message.get("model"), str)]
    model = next((model for model in models[::-1] if not model.startswith("<")), None)
    agent = Agent(name="Claude Code", version=_known(lines, "version"), model=model)
    metadata = whole.metadata("claude-code")
    try:
        return session(session_id, _steps(lines), agent=agent, metadata=metadata)
    except MessagesError as problem:
        return Skipped(whole.where, str(problem))


def _known(lines: Sequence[Line], key: str) -> str | None:
    values = (line.entry.get(key) for line in lines)
    return next((value for value in values if isinstance(value, str) and value), None)


def _steps(lines: Sequence[Line]) -> Iterator[Step]:
    """The steps in order; consecutive lines of one message belong together."""
    skill: Called | None = None
    for _, group in groupby(enumerate(lines), key=_message_key):
        members = [line for _, line in group]
        first = members[0]
        if first.type == "assistant":
            for step in _assistant(members):
                skill = step if isinstance(step, Called) and step.name == "Skill" else skill
                yield step
        elif first.type == "user" and first.entry.get("isMeta"):
            yield from _loaded(first, skill)
        elif first.type == "user" and not first.entry.get("isCompactSummary"):
            yield from _user(first)
        elif first.type == "attachment":
            yield from _queued(first)


def _message_key(numbered: tuple[int, Line]) -> str | int:
    number, line = numbered
    identity = line.message.get("id")
    return identity if line.type == "assistant" and isinstance(identity, str) else number


def _assistant(lines: Sequence[Line]) -> Iterator[Step]:
    """A message of the agent: its text is an answer, or goes with the calls that follow it."""
    blocks = [(line, block) for line in lines for block in line.blocks]
    text: list[str] = []
    for line, block in blocks:
        if line.entry.get("isApiErrorMessage") or line.message.get("model") == "<synthetic>":
            continue
        match block:
            case {"type": "thinking", "thinking": str(thought)}:
                yield Thought(thought, line.at)
            case {"type": "text", "text": str(words)}:
                text.append(words)
            case {"type": "tool_use", "name": str(name)}:
                asked = _relative(block.get("input"), line.entry.get("cwd"))
                yield Called(str(block.get("id")), name, asked, "\n".join(text), line.at)
                text.clear()
            case _:
                pass
    said, at = "\n".join(text), lines[-1].at
    yield Thought(said, at) if lines[0].entry.get("isSidechain") else Said("assistant", said, at)


def _user(line: Line) -> Iterator[Step]:
    """A line of the user's side: answers of tools, and what the user said or did."""
    said: list[str] = []
    for block in line.blocks:
        match block:
            case {"type": "tool_result", "tool_use_id": str(call_id)}:
                content = answer_of(block.get("content"))
                text = _own(content) if isinstance(content, str) else content
                failed = True if block.get("is_error") is True else None
                yield Answered(call_id, text, failed, at=line.at)
                if failed and isinstance(text, str):
                    said.append(text.partition(REJECTED_BUT)[2])
            case {"type": "text", "text": str(words)} if words.startswith(INTERRUPTED):
                yield Marked("interrupted", line.at)
            case {"type": "text", "text": str(words)}:
                said.append(f"{_command(words)}{_own(words)}")
            case _:
                pass
    if not line.entry.get("isSidechain"):
        yield Said("user", "\n".join(part for part in said if part), line.at)


def _loaded(line: Line, skill: Called | None) -> Iterator[Step]:
    """The text of a skill comes after the call that loaded it, on a line of its own."""
    head, _, body = text_of(line.message.get("content")).partition("\n")
    if skill is None or not head.startswith(SKILL_FOLDER):
        return
    folder = _relative({"path": head.removeprefix(SKILL_FOLDER)}, line.entry.get("cwd"))["path"]
    output = {"path": f"{folder.rstrip('/')}/SKILL.md", "content": body.lstrip("\n")}
    yield Answered(skill.call_id, output, False, at=line.at)


def _queued(line: Line) -> Iterator[Step]:
    """What the user said while the agent was at work stands in an attachment only."""
    match line.entry.get("attachment"):
        case {"type": "queued_command", "prompt": prompt, **rest}:
            if rest.get("commandMode", "prompt") == "prompt":
                yield Said("user", _own(text_of(prompt)), line.at)
        case _:
            pass


def _relative(asked: Any, cwd: Any) -> Any:
    """Arguments with their paths as they are below the working directory."""
    if not isinstance(asked, dict) or not isinstance(cwd, str) or not cwd.strip("/"):
        return asked
    root = f"{cwd.rstrip('/')}/"
    return {
        key: value.removeprefix(root) if key in PATH_KEYS and isinstance(value, str) else value
        for key, value in asked.items()
    }


def _own(text: str) -> str:
    """The text without what the program put into it."""
    for tag in TAGS:
        text = _without(text, f"<{tag}>", f"</{tag}>")
    return text.strip("\n")


def _without(text: str, opening: str, closing: str) -> str:
    kept = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start)
        if end < 0:
            break
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join((*kept, text[at:]))


def _command(text: str) -> str:
    """A command with arguments, as it was typed; one without says nothing of its own."""
    name, asked = (
        _inside(text, f"<{tag}>", f"</{tag}>") for tag in ("command-name", "command-args")
    )
    return f"{name} {asked}" if name and asked else ""


def _inside(text: str, opening: str, closing: str) -> str:
    _, found, rest = text.partition(opening)
    inner, closed, _ = rest.partition(closing)
    return inner.strip() if found and closed else ""
