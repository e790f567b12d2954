"""Detection: weights, threshold, explicit signals, and evidence that must stand."""

from __future__ import annotations

import pytest

from bot.records.finding import Segment, Signal, SignalType
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from bot.signals.strength import WEIGHTS
from bot.stages.detect import NAMES, detect

SESSION = Trajectory(
    "s",
    (Turn(1, "user", "When?"), Turn(2, "assistant", "At eight."), Turn(3, "user", "No, at six.")),
    nodes=(Node("n1", 2, "tool_call", tool=ToolCall("t", status="error", error="no such table")),),
)
SEGMENTS = (Segment("segment-1", (1, 2, 3)),)


def corrected(confidence: float, kind: SignalType = "CORRECTION") -> Signal:
    return Signal(kind, "at six", 3, confidence)


def test_nothing_is_content() -> None:
    detection = detect(SESSION, SEGMENTS, ())
    assert not detection.is_dsat
    assert detection.confidence == 0
    assert detection.trigger_turn_id is None


@pytest.mark.parametrize(
    ("kind", "confidence", "expected"),
    [
        ("CORRECTION", 0.7, True),
        ("CORRECTION", 0.69, False),
        ("CONVERSATIONAL_REPAIR", 0.88, True),
        ("CONVERSATIONAL_REPAIR", 0.86, False),
        ("REPETITION", 1.0, True),
        ("NEGATIVE_SENTIMENT", 1.0, False),
        ("SESSION_ABANDONMENT", 1.0, False),
    ],
)
def test_weight_times_confidence_against_the_threshold(
    kind: SignalType, confidence: float, expected: bool
) -> None:
    assert detect(SESSION, SEGMENTS, [corrected(confidence, kind)]).is_dsat is expected


def test_threshold_is_an_argument() -> None:
    assert detect(SESSION, SEGMENTS, [corrected(0.5)], threshold=0.5).is_dsat


def test_explicit_signal_escalates_and_triggers() -> None:
    vote = Signal("THUMBS_DOWN", "At eight.", 2, 0.1, explicit=True)
    detection = detect(SESSION, SEGMENTS, [corrected(0.6), vote])
    assert detection.is_dsat
    assert detection.trigger_turn_id == 2
    assert detection.confidence == 0.6


def test_strongest_signal_triggers() -> None:
    weak = Signal("NEGATIVE_SENTIMENT", "When?", 1, 0.9)
    assert detect(SESSION, SEGMENTS, [weak, corrected(0.9)]).trigger_turn_id == 3


@pytest.mark.parametrize(
    "signal",
    [
        Signal("CORRECTION", "at seven", 3, 1.0),
        Signal("CORRECTION", "at six", 1, 1.0),
        Signal("CORRECTION", " ", 3, 1.0),
        Signal("CORRECTION", "at six", 9, 1.0),
        Signal("THUMBS_DOWN", "", 3, 1.0, explicit=True),
        Signal("TOOL_EXECUTION_ERROR", "another error", 2, 1.0, node_id="n1"),
        Signal("TOOL_EXECUTION_ERROR", "no such table", 2, 1.0, node_id="n2"),
    ],
)
def test_evidence_that_does_not_stand_is_dropped(signal: Signal) -> None:
    assert not detect(SESSION, SEGMENTS, [signal]).signals


def test_tool_error_quotes_its_node() -> None:
    error = Signal("TOOL_EXECUTION_ERROR", "no such table", 2, 0.8, node_id="n1")
    assert detect(SESSION, SEGMENTS, [error]).is_dsat


@pytest.mark.parametrize("confidence", [-3.0, 7.0])
def test_confidence_outside_its_range_is_cut(confidence: float) -> None:
    assert 0 <= detect(SESSION, SEGMENTS, [corrected(confidence)]).confidence <= 1


def test_summary_is_in_our_own_words() -> None:
    summary = detect(SESSION, SEGMENTS, [corrected(0.9), corrected(0.8, "REPETITION")]).summary
    assert summary == "Turn 3 shows a correction by the user and 1 more signal."
    assert set(NAMES) == set(WEIGHTS)
