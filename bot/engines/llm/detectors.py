"""Detectors: who looks for signals of dissatisfaction, and which sessions the model reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, get_args

import msgspec

from bot.engines.llm.conversation import rows
from bot.engines.llm.dialogue import Dialogue, Style
from bot.engines.llm.fence import fenced
from bot.engines.llm.form import Form
from bot.engines.llm.messages import Complete
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.verbatim import found_in, turn_quote
from bot.prompts.template import Prompt, prompt
from bot.provenance.words import node_strings
from bot.records.finding import Segment, Signal, SignalType
from bot.records.trajectory import Node, Trajectory, Turn
from bot.signals.strength import strength

A = TypeVar("A")

TYPES: tuple[SignalType, ...] = get_args(SignalType)
# The model's part; explicit feedback is a fact, and stays as the rules read it.
ASKED = tuple(kind for kind in TYPES if kind != "THUMBS_DOWN")
SURE = 0.9


class Asked(msgspec.Struct, frozen=True):
    """A segment of a session, what the rules found in it, and whom to ask."""

    trajectory: Trajectory
    segment: Segment
    rules: tuple[Signal, ...]
    complete: Complete
    options: ModelOptions

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the segment."""
        return tuple(t for t in self.trajectory.turns if t.turn_id in self.segment.turn_ids)

    @property
    def errors(self) -> tuple[Node, ...]:
        """The nodes of the segment whose tool failed."""
        return tuple(
            node
            for node in self.trajectory.nodes
            if node.tool is not None
            and node.tool.status != "ok"
            and node.turn_id in self.segment.turn_ids
        )


Detect = Callable[[Asked], tuple[Signal, ...]]


class Sign(msgspec.Struct, frozen=True):
    """One signal as the model reports it."""

    signal_type: SignalType
    turn_id: int
    evidence: str
    confidence: float


class Report(msgspec.Struct, frozen=True):
    """The taxonomy-guided answer; the verdict is recomputed from the signals in code."""

    signals: tuple[Sign, ...]
    is_dsat: bool


class Verdict(msgspec.Struct, frozen=True):
    """The vanilla answer."""

    is_dsat: bool
    confidence: float


def offline(asked: Asked) -> tuple[Signal, ...]:
    """What the rules found; no call."""
    return asked.rules


def screened(asked: Asked) -> tuple[Signal, ...]:
    """The taxonomy, but only where the rules leave a doubt: where a signal is explicit or strong,
    or nobody spoke after an answer and no tool failed, the model is not asked."""
    rules = asked.rules
    if any(s.explicit or strength(s) >= SURE for s in rules):
        return rules
    if not rules and not _answered_back(asked):
        return rules
    return taxonomy(asked)


def taxonomy(asked: Asked) -> tuple[Signal, ...]:
    """The paper's detector: signals with quotes, each found again word for word or dropped."""
    question = prompt("detect", **_data(asked))
    report = _answer(asked, question, Form(Report, {"signal_type": ASKED}))
    explicit = tuple(signal for signal in asked.rules if signal.explicit)
    found = (_signal(asked, sign) for sign in report.signals)
    return (*explicit, *(signal for signal in found if signal is not None))


def vanilla(asked: Asked) -> tuple[Signal, ...]:
    """The baseline: one yes or no, pinned to the last thing that the user said."""
    verdict = _answer(asked, prompt("detect_vanilla", **_data(asked)), Form(Verdict))
    users = [turn for turn in asked.turns if turn.role == "user"]
    if not verdict.is_dsat or not users:
        return ()
    return (Signal("CORRECTION", users[-1].content, users[-1].turn_id, _unit(verdict.confidence)),)


DETECTORS: Mapping[str, Detect] = {
    "offline": offline,
    "screened": screened,
    "taxonomy": taxonomy,
    "vanilla": vanilla,
}


def _answer(asked: Asked, question: Prompt, form: Form[A]) -> A:
    style = Style(asked.options.model, asked.options.max_tokens)
    dialogue = Dialogue(asked.complete, style, question.rules)
    return dialogue.ask(question.question, form, lambda answer: answer)


def _answered_back(asked: Asked) -> bool:
    """Whether a user spoke after an answer, or a tool failed."""
    turns = asked.turns
    first = next((n for n, turn in enumerate(turns) if turn.role == "assistant"), len(turns))
    return any(turn.role == "user" for turn in turns[first:]) or bool(asked.errors)


def _data(asked: Asked) -> dict[str, str]:
    errors = [
        {"turn": n.turn_id, "tool": n.tool.name, "error": n.tool.error or n.tool.status}
        for n in asked.errors
        if n.tool is not None
    ]
    return {
        "conversation": fenced("conversation", rows(asked.turns)),
        "errors": fenced("tool_errors", errors),
    }


def _signal(asked: Asked, sign: Sign) -> Signal | None:
    if sign.turn_id not in asked.segment.turn_ids:
        return None
    kind, turn, confidence = sign.signal_type, sign.turn_id, _unit(sign.confidence)
    if kind != "TOOL_EXECUTION_ERROR":
        words = turn_quote(asked.trajectory, turn, sign.evidence)
        return Signal(kind, words, turn, confidence) if words is not None else None
    for node in asked.errors:
        for text in node_strings(node) if node.turn_id == turn else ():
            words = found_in(sign.evidence, text)
            if words is not None:
                return Signal(kind, words, turn, confidence, node_id=node.node_id)
    return None


def _unit(confidence: float) -> float:
    return min(1.0, max(0.0, confidence / 100 if confidence > 1 else confidence))
