"""Votes as the feedback of a trajectory, and the votes that spans carry themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.records.trajectory import Feedback, FeedbackType
from bot.sources.spans.span import Span, Vote
from bot.sources.spans.values import loaded, tree
from bot.sources.spans.vocabulary import names
from context_repo_schema.config import BadVote

# OpenInference keeps annotations in attributes, one list a level.
ANNOTATIONS = ("annotations", "trace.annotations", "session.annotations")


def carried(spans: Iterable[Span]) -> Iterator[Vote]:
    """The votes in the spans' own events and attributes."""
    for span in spans:
        for event in span.events:
            if event.name in names("events", "evaluation"):
                yield _evaluation(event.attributes, span)
        for level in ANNOTATIONS:
            listed = tree(span.attributes, level)
            for item in listed if isinstance(listed, list) else []:
                if isinstance(item, dict):
                    yield _annotation(item, span)


def _evaluation(attributes: dict[str, Any], span: Span) -> Vote:
    def told(key: str) -> Any:
        return attributes.get(f"gen_ai.evaluation.{key}")

    return Vote(
        str(told("name") or ""),
        _text(told("score.label")),
        score(told("score.value")),
        _text(told("explanation")),
        trace_id=span.trace_id,
        span_id=span.span_id,
    )


def _annotation(item: dict[str, Any], span: Span) -> Vote:
    told = item.get("annotation", item)
    told = loaded(told) if isinstance(loaded(told), dict) else {}
    return Vote(
        str(told.get("name") or ""),
        _text(told.get("label")),
        score(told.get("score")),
        _text(told.get("explanation")),
        source=_text(told.get("annotator_kind")),
        trace_id=span.trace_id,
        span_id=span.span_id,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def score(value: Any) -> bool | int | float | None:
    """A number or a yes or no; None for anything else, not-a-number among it."""
    if isinstance(value, bool | int):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None


def feedback(vote: Vote, turn_id: int | None, rules: Mapping[str, BadVote]) -> Feedback | None:
    """The vote in the canonical form; None where it says nothing.

    A rule for the vote's name decides first, then the label, then the score.
    """
    source, at = (vote.source or "").lower() or None, vote.timestamp
    found = judged(vote, rules)
    if found is None:
        return None
    return Feedback(*found, turn_id, vote.comment, source, at, vote.name or None)


def judged(
    vote: Vote, rules: Mapping[str, BadVote]
) -> tuple[FeedbackType, bool | int | float | str | None] | None:
    """The kind of the judgement and its value."""
    rule = rules.get(vote.name)
    if rule is not None and (ruled := bad(vote, rule)) is not None:
        return "thumbs", not ruled
    if vote.label is not None:
        return "label", vote.label
    if isinstance(vote.score, bool):
        return "thumbs", vote.score
    if vote.score is not None:
        return "score", vote.score
    return ("comment", None) if vote.comment else None


def bad(vote: Vote, rule: BadVote) -> bool | None:
    """Whether the rule calls the vote bad; None where it does not apply to what was voted."""
    if rule.labels and vote.label is not None:
        return vote.label.strip().lower() in {label.strip().lower() for label in rule.labels}
    if vote.score is None or (rule.at_most is None and rule.at_least is None):
        return None
    low = rule.at_most is not None and vote.score <= rule.at_most
    high = rule.at_least is not None and vote.score >= rule.at_least
    return low or high
