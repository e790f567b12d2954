"""Conclude from signals whether a session needs attribution (TRACE, signal detection)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.provenance.words import stands_in_node, stands_in_turn
from bot.records.finding import Detection, Segment, Signal, SignalType
from bot.records.trajectory import Trajectory
from bot.signals.strength import strength
from context_repo_schema.config import Config

THRESHOLD: Final = Config().detection.threshold
NAMES: dict[SignalType, str] = {
    "THUMBS_DOWN": "an explicit negative judgement",
    "TOOL_EXECUTION_ERROR": "a failed tool call that was not made good",
    "CORRECTION": "a correction by the user",
    "CONVERSATIONAL_REPAIR": "a request put in other words",
    "CLARIFICATION_REQUEST": "doubt about the answer",
    "REPETITION": "a repeated request",
    "NEGATIVE_SENTIMENT": "displeasure with the agent",
    "SEMANTIC_DRIFT": "an answer beside the question",
    "SESSION_ABANDONMENT": "a session left without a result",
}


def detect(
    trajectory: Trajectory,
    segments: tuple[Segment, ...],
    signals: Iterable[Signal],
    threshold: float = THRESHOLD,
) -> Detection:
    """Weigh the signals whose evidence stands in the session; the rest are dropped.

    Confidence is the highest product of a type's weight and a signal's own confidence. The
    session is dissatisfied at `threshold` or on any explicit signal.
    """
    known = {turn_id for segment in segments for turn_id in segment.turn_ids}
    kept = tuple(s for s in signals if s.turn_id in known and _stands(trajectory, s))
    if not kept:
        return Detection(is_dsat=False, confidence=0.0, summary="No signal of dissatisfaction.")
    strongest = min(kept, key=lambda s: (not s.explicit, -strength(s), s.turn_id))
    confidence = max(map(strength, kept))
    return Detection(
        is_dsat=strongest.explicit or confidence >= threshold,
        confidence=confidence,
        trigger_turn_id=strongest.turn_id,
        summary=_summary(strongest, kept),
        signals=kept,
    )


def _stands(trajectory: Trajectory, signal: Signal) -> bool:
    if signal.node_id is None:
        return stands_in_turn(trajectory, signal.turn_id, signal.evidence)
    node = trajectory.node(signal.node_id)
    return node is not None and stands_in_node(node, signal.evidence)


def _summary(strongest: Signal, kept: tuple[Signal, ...]) -> str:
    """One sentence of our own words: a session's text never reaches a log through it."""
    others = len(kept) - 1
    more = f" and {others} more signal{'s' if others > 1 else ''}" if others else ""
    return f"Turn {strongest.turn_id} shows {NAMES[strongest.signal_type]}{more}."
