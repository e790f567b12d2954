"""How much a signal of each type weighs (TRACE, signal detection)."""

from __future__ import annotations

from typing import Final

from bot.records.finding import Signal, SignalType

WEIGHTS: Final[dict[SignalType, float]] = {
    "THUMBS_DOWN": 1.0,
    "TOOL_EXECUTION_ERROR": 1.0,
    "CORRECTION": 1.0,
    "CONVERSATIONAL_REPAIR": 0.8,
    "CLARIFICATION_REQUEST": 0.8,
    "REPETITION": 0.8,
    "NEGATIVE_SENTIMENT": 0.5,
    "SEMANTIC_DRIFT": 0.5,
    "SESSION_ABANDONMENT": 0.5,
}


def strength(signal: Signal) -> float:
    """The weight of its type times its own confidence, 0 to 1."""
    return round(WEIGHTS[signal.signal_type] * min(max(signal.confidence, 0.0), 1.0), 4)
