"""What was said, as data for a prompt: the disputed part of a conversation, or a segment of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.engines.llm.clip import clip
from bot.records.finding import Case
from bot.records.trajectory import Turn

# A complaint seldom reaches back further; older turns are in the trace where it does.
TURNS_BEFORE = 5
TURN_LENGTH = 1200


def disputed(case: Case, length: int = TURN_LENGTH) -> list[dict[str, Any]]:
    """The turns around the first sign of dissatisfaction, and everything said after it."""
    turns = case.trajectory.turns
    trigger = case.detection.trigger_turn_id or turns[-1].turn_id
    at = next((n for n, turn in enumerate(turns) if turn.turn_id == trigger), len(turns) - 1)
    about = " ".join(signal.evidence for signal in case.detection.signals)
    chosen = turns[max(0, at - TURNS_BEFORE) : at + TURNS_BEFORE]
    return [_row(turn, length, about) for turn in chosen]


def rows(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    """Turns whole, up to a length that no one writes by hand."""
    return [_row(turn, 4 * TURN_LENGTH, "") for turn in turns]


def complaint(case: Case) -> str:
    """What the user said at and after the first sign of dissatisfaction, with explicit feedback."""
    trigger = case.detection.trigger_turn_id or 0
    users = [t for t in case.trajectory.turns if t.role == "user"]
    said = [t.content for t in users if t.turn_id >= trigger] or [t.content for t in users[-1:]]
    comments = [f.comment for f in case.trajectory.feedback if f.comment]
    return "\n".join((*said, *comments))


def _row(turn: Turn, length: int, about: str) -> dict[str, Any]:
    return {"turn": turn.turn_id, turn.role: clip(turn.content, length, about)}
