"""Feedback as chat logs write it beside a conversation or a message: a word, a number, a remark."""

from __future__ import annotations

import math
from typing import Any

from bot.records.trajectory import Feedback

DOWN = frozenset({"thumbs_down", "thumbsdown", "down", "negative", "bad", "dislike", "👎"})
UP = frozenset({"thumbs_up", "thumbsup", "up", "positive", "good", "like", "👍"})
RATINGS = ("rating", "value", "score", "thumbs", "label")
COMMENTS = ("comment", "text", "explanation")


def feedback(value: Any, turn_id: int | None = None) -> tuple[Feedback, ...]:
    """The judgements in a value: one, or a list of them. A score that is no number is none."""
    given = value if isinstance(value, list) else [value]
    return tuple(item for one in given if (item := _one(one, turn_id)) is not None)


def _one(value: Any, turn_id: int | None) -> Feedback | None:
    comment, rating = None, value
    if isinstance(value, dict):
        comment = next((value[k] for k in COMMENTS if isinstance(value.get(k), str)), None)
        rating = next((value[k] for k in RATINGS if value.get(k) is not None), None)
    if isinstance(rating, bool):
        return Feedback("thumbs", rating, turn_id, comment)
    if isinstance(rating, str):
        word = rating.strip().lower().replace("-", "_").replace(" ", "_")
        if word in DOWN | UP:
            return Feedback("thumbs", word in UP, turn_id, comment)
        return Feedback("label", rating, turn_id, comment)
    if isinstance(rating, int | float) and math.isfinite(rating):
        return Feedback("score", rating, turn_id, comment)
    return Feedback("comment", None, turn_id, comment) if comment is not None else None
