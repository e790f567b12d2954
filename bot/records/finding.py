"""What was found in a session: segments, signals, the delta, the attribution and its rivals."""

from __future__ import annotations

from typing import Literal

import msgspec

from bot.records.trajectory import Trajectory

SignalType = Literal[
    "CORRECTION",
    "CONVERSATIONAL_REPAIR",
    "TOOL_EXECUTION_ERROR",
    "CLARIFICATION_REQUEST",
    "NEGATIVE_SENTIMENT",
    "REPETITION",
    "SEMANTIC_DRIFT",
    "SESSION_ABANDONMENT",
    "THUMBS_DOWN",
]
FaultCategory = Literal[
    "SKILL_FILE_STALE",
    "KB_CONTENT_STALE",
    "KB_CONTENT_GAP",
    "TOOL_PROMPT_ERROR",
    "SYSTEM_PROMPT_GAP",
    "RETRIEVAL_FAILURE",
    "NONE",
]
ComponentType = Literal[
    "skill", "kb_entry", "tool_prompt", "system_prompt", "synonym_map", "schema_hint", "none"
]
Operation = Literal["CREATE", "UPDATE", "DELETE", "NO_ACTION"]
Classification = Literal["SYSTEMIC", "INCIDENTAL", "AMBIGUOUS"]


class Segment(msgspec.Struct, frozen=True):
    """Consecutive turns that serve one user goal."""

    segment_id: str
    turn_ids: tuple[int, ...]


class Signal(msgspec.Struct, frozen=True):
    """A hint of dissatisfaction; `evidence` stands verbatim in turn `turn_id`.

    `explicit` marks a judgement that the user gave as such (thumbs, score, label), which
    escalates a session whatever its confidence. A tool error quotes the node's error text
    and names the node in `node_id`.
    """

    signal_type: SignalType
    evidence: str
    turn_id: int
    confidence: float
    explicit: bool = False
    node_id: str | None = None


class Detection(msgspec.Struct, frozen=True):
    """Whether the session needs attribution, and why (TRACE, dissatisfaction detection)."""

    is_dsat: bool
    confidence: float
    trigger_turn_id: int | None = None
    summary: str = ""
    signals: tuple[Signal, ...] = ()


class Delta(msgspec.Struct, frozen=True):
    """The loss: what the user expected against what they got (TRACE, delta computation)."""

    loss_description: str
    expected_outcome: str
    actual_outcome: str


class NodeQuote(msgspec.Struct, frozen=True):
    """A verbatim quote of what a node read, was told or said."""

    node_id: str
    quote: str


class RepoQuote(msgspec.Struct, frozen=True):
    """A verbatim quote of one line (or of consecutive lines) of the context repository.

    `line` is the 1-based line at which the quote starts.
    """

    path: str
    line: int
    quote: str


class Hypothesis(msgspec.Struct, frozen=True):
    """One written-out explanation: this category, at this node, from this file, mended so.

    `session_quotes` and `repo_quotes` are its evidence, `faulty` the text in `component_path`
    that is wrong (None for an absence), `authority` the text that settles it (None where
    only a user's word speaks). `score` orders hypotheses of one session only.
    """

    category: FaultCategory
    operation: Operation
    component_type: ComponentType
    component_path: str | None
    node_id: str
    score: float
    reason: str
    faulty: RepoQuote | None = None
    authority: RepoQuote | None = None
    session_quotes: tuple[NodeQuote, ...] = ()
    repo_quotes: tuple[RepoQuote, ...] = ()
    classification: Classification = "SYSTEMIC"


class NodeScore(msgspec.Struct, frozen=True):
    """How much of the loss a node carries, with the reason in a few words."""

    node_id: str
    score: float
    reason: str = ""


class Attribution(msgspec.Struct, frozen=True):
    """Where the loss came from. Scores are at least 0 and sum to 1; the root has the highest.

    `hypotheses` are ranked, the first being the one this attribution states; `margin` is the
    calibrated probability that it is right (0 to 1): the right fix of the right file.
    `text_margin` is the calibrated probability that its texts are right too, the line that is wrong
    and the sentence that settles it; None where that was not measured.
    """

    delta: Delta
    root_cause_node: str
    scores: tuple[NodeScore, ...]
    fault_category: FaultCategory
    component_type: ComponentType
    component_path: str | None
    gradient_description: str
    evidence: tuple[NodeQuote, ...]
    hypotheses: tuple[Hypothesis, ...]
    margin: float
    coverage: float = 1.0
    text_margin: float | None = None


class Case(msgspec.Struct, frozen=True):
    """A dissatisfied session as it goes to an engine: what was said, and why it was flagged."""

    trajectory: Trajectory
    segments: tuple[Segment, ...]
    detection: Detection
