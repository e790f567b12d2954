"""The signals that are looked for, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.records.finding import Segment, Signal, SignalType
from bot.records.trajectory import Trajectory
from bot.signals import (
    clarification_request,
    conversational_repair,
    correction,
    negative_sentiment,
    repetition,
    semantic_drift,
    session_abandonment,
    thumbs_down,
    tool_execution_error,
)
from bot.signals.model import Model
from bot.signals.scene import Scene, scene

Find = Callable[[Scene], Iterator[Signal]]

SIGNALS: dict[SignalType, Find] = {
    "THUMBS_DOWN": thumbs_down.find,
    "TOOL_EXECUTION_ERROR": tool_execution_error.find,
    "CORRECTION": correction.find,
    "CONVERSATIONAL_REPAIR": conversational_repair.find,
    "CLARIFICATION_REQUEST": clarification_request.find,
    "REPETITION": repetition.find,
    "NEGATIVE_SENTIMENT": negative_sentiment.find,
    "SEMANTIC_DRIFT": semantic_drift.find,
    "SESSION_ABANDONMENT": session_abandonment.find,
}


def signals(
    trajectory: Trajectory, segment: Segment, model: Model | None = None
) -> tuple[Signal, ...]:
    """Every signal of a segment, in the order of the table and then of the session.

    User turns are judged by the shipped model where none is given.
    """
    seen = scene(trajectory, segment, model)
    return tuple(signal for find in SIGNALS.values() for signal in find(seen))
