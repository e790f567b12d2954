"""The loss: what the user expected against what they got, in one call (TRACE, stage 1)."""

from __future__ import annotations

import msgspec

from bot.engines.llm.conversation import complaint, disputed
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.inquiry import Inquiry
from bot.prompts.template import prompt
from bot.records.finding import Delta


class Gap(msgspec.Struct, frozen=True):
    """Both sides of the loss, a sentence each."""

    expected_outcome: str
    actual_outcome: str


def delta(inquiry: Inquiry) -> Delta:
    """What to trace backward through the session."""
    case = inquiry.case
    signals = [{"type": s.signal_type, "words": s.evidence} for s in case.detection.signals]
    asked = prompt(
        "delta",
        conversation=fenced("conversation", disputed(case)),
        complaint=fenced("complaint", complaint(case)),
        signals=fenced("signals", signals),
    )
    gap = inquiry.talk(asked.rules).ask(asked.question, Form(Gap), lambda answer: answer)
    expected, actual = _sentence(gap.expected_outcome), _sentence(gap.actual_outcome)
    return Delta(f"DELTA: Expected {expected} but got {actual}", expected, actual)


def row(loss: Delta) -> dict[str, str]:
    """The loss as data for a prompt."""
    return {"expected": loss.expected_outcome, "actual": loss.actual_outcome}


def _sentence(text: str) -> str:
    return " ".join(text.split())[:400]
