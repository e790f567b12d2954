"""Holistic attribution: the loss, then one backward pass over all nodes at once (TRACE, Alg. 1)."""

from __future__ import annotations

from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.strategies.backward import backward
from bot.engines.llm.strategies.delta import delta
from bot.records.finding import Attribution


def holistic(inquiry: Inquiry, *, hints: bool | None = None) -> Attribution:
    """Two calls, and those of the reading tools where the trace is long."""
    wanted = inquiry.options.hints if hints is None else hints
    walk = backward(inquiry, delta(inquiry), hints=wanted)
    return walk.ask(walk.question, "holistic")
