"""G6: no long run of a user's or a tool's words is copied into the repository.

This is how a planted instruction would arrive. A run that the repository itself holds is a
quote of its own sources and is fine.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bot.gates.inputs import Inputs, all_added
from bot.records.change import ChangeSet
from bot.records.plan import GateResult
from bot.records.trajectory import Trajectory

LONGEST = 80


def untrusted(trajectory: Trajectory) -> tuple[str, ...]:
    """What came from outside the agent: users' turns, and the answers of its tools."""
    said = [turn.content for turn in trajectory.turns if turn.role == "user"]
    answers = [
        part
        for node in trajectory.nodes
        for part in (
            node.output if node.type != "response_generation" else None,
            node.tool.output if node.tool else None,
            node.tool.error if node.tool else None,
        )
        if part is not None
    ]
    return tuple(_folded(text) for text in (*said, *map(_text, answers)) if text)


def verbatim(change_set: ChangeSet, inputs: Inputs) -> GateResult:
    """Blocked where more than 80 characters in a row stand in a session and in no file."""
    if inputs.spans is None:
        return GateResult("G6", "not run", "the words of the sessions were not at hand")
    windows = set(_windows(_folded(all_added(change_set))))
    if not windows:
        return GateResult("G6", "passed")
    copied = {run for span in inputs.spans for run in _windows(span) if run in windows}
    own = [_folded(text) for text in inputs.repo.texts.values()] if copied else []
    if any(not any(run in text for text in own) for run in copied):
        reason = f"more than {LONGEST} characters are copied from what a user or a tool said"
        return GateResult("G6", "blocked", reason)
    return GateResult("G6", "passed")


def _windows(text: str) -> Iterator[str]:
    width = LONGEST + 1
    return (text[at : at + width] for at in range(len(text) - width + 1))


def _folded(text: str) -> str:
    return " ".join(text.split())


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(map(_text, value.values()))
    if isinstance(value, list | tuple):
        return "\n".join(map(_text, value))
    return msgspec.json.encode(value).decode()
