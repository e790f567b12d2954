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
# What a pick needs of a turn: the complaint, the answer before it and its question, the rest.
COMPLAINT, ANSWER, QUESTION, OLDER = 900, 700, 400, 240


def disputed(case: Case, length: int = TURN_LENGTH) -> list[dict[str, Any]]:
    """The turns around the first sign of dissatisfaction, and everything said after it."""
    about = " ".join(signal.evidence for signal in case.detection.signals)
    return [*(_row(turn, length, about) for turn, _ in _around(case)), *_comments(case)]


def gist(case: Case) -> list[dict[str, Any]]:
    """The disputed turns, cut to what was asked, what was answered, and how the user corrects it;
    of what was said further off only the beginning."""
    told: list[dict[str, Any]] = []
    about = " ".join(signal.evidence for signal in case.detection.signals)
    for turn, distance in _around(case):
        length = {1: ANSWER, 2: QUESTION}.get(distance, COMPLAINT if distance <= 0 else OLDER)
        told.append(_row(turn, length, about))
    return [*opening(case), *told, *_comments(case)]


def opening(case: Case) -> list[dict[str, Any]]:
    """The first question, where the disputed turns begin later, and how many turns lie between."""
    around = [turn.turn_id for turn, _ in _around(case)]
    before = [turn for turn in case.trajectory.turns if turn.turn_id < around[0]]
    first = next((turn for turn in before if turn.role == "user"), None)
    between = len(before) - (first is not None)
    rows = [] if first is None else [_row(first, QUESTION, "")]
    return [*rows, {"left out": f"{between} turns"}] if between else rows


def rows(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    """Turns whole, up to a length that no one writes by hand."""
    return [_row(turn, 4 * TURN_LENGTH, "") for turn in turns]


def complaint(case: Case) -> str:
    """What the user said at and after the first sign of dissatisfaction, with explicit feedback."""
    trigger = case.detection.trigger_turn_id or 0
    users = [t for t in case.trajectory.turns if t.role == "user"]
    said = [t.content for t in users if t.turn_id >= trigger] or [t.content for t in users[-1:]]
    comments = (str(row["feedback"]) for row in _comments(case))
    return "\n".join((*said, *comments))


def claim(case: Case) -> str:
    """What the agent had said before the complaint: its last answer."""
    trigger = case.detection.trigger_turn_id or case.trajectory.turns[-1].turn_id
    answers = [t for t in case.trajectory.turns if t.role == "assistant" and t.turn_id <= trigger]
    return answers[-1].content if answers else ""


def question(case: Case) -> str:
    """What the user had asked before the complaint."""
    trigger = case.detection.trigger_turn_id or case.trajectory.turns[-1].turn_id
    asked = [t for t in case.trajectory.turns if t.role == "user" and t.turn_id < trigger]
    return asked[-1].content if asked else ""


def _around(case: Case) -> list[tuple[Turn, int]]:
    """Turns around the first sign of dissatisfaction, with how many turns before it each is."""
    turns = case.trajectory.turns
    trigger = case.detection.trigger_turn_id or turns[-1].turn_id
    at = next((n for n, turn in enumerate(turns) if turn.turn_id == trigger), len(turns) - 1)
    first = max(0, at - TURNS_BEFORE)
    return [(turn, at - n) for n, turn in enumerate(turns[: at + TURNS_BEFORE]) if n >= first]


def _comments(case: Case) -> list[dict[str, Any]]:
    """What the user wrote beside a thumb or a score."""
    return [{"feedback": f.comment} for f in case.trajectory.feedback if f.comment]


def _row(turn: Turn, length: int, about: str) -> dict[str, Any]:
    return {"turn": turn.turn_id, turn.role: clip(turn.content, length, about)}
