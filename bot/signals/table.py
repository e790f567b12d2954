"""The signals that are looked for, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.records.finding import Segment, Signal, SignalType
from bot.records.trajectory import Trajectory
from bot.signals import correction, thumbs_down, tool_execution_error

Find = Callable[[Trajectory, Segment], Iterator[Signal]]

SIGNALS: dict[SignalType, Find] = {
    "CORRECTION": correction.find,
    "TOOL_EXECUTION_ERROR": tool_execution_error.find,
    "THUMBS_DOWN": thumbs_down.find,
}


def signals(trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]:
    """Every signal of a segment, in the order of the table and then of the session."""
    return tuple(signal for find in SIGNALS.values() for signal in find(trajectory, segment))
