"""Chat logs: one JSON object a line with `messages`, and an id, feedback and metadata if known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bot.records.report import Skipped
from bot.records.trajectory import Agent, Feedback, Trajectory
from bot.sources.bytes import opened, session_files
from bot.sources.messages import MessagesError, trajectory

DOWN = frozenset({"thumbs_down", "thumbsdown", "down", "negative", "bad", "dislike"})
UP = frozenset({"thumbs_up", "thumbsup", "up", "positive", "good", "like"})


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every chat below a path; blank lines are passed over."""
    for file in session_files(path):
        name = "<stdin>" if file is None else str(file)
        number = 0
        try:
            with opened(file) as stream:
                for number, line in enumerate(stream, 1):
                    if line.strip():
                        yield _chat(line, number, f"{name}:{number}")
        except OSError as broken:
            yield Skipped(f"{name}:{number + 1}", f"the file could not be read further: {broken}")


def _chat(line: bytes, number: int, where: str) -> Trajectory | Skipped:
    try:
        chat = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return Skipped(where, f"no JSON: {problem}")
    if not isinstance(chat, dict) or not isinstance(chat.get("messages"), list):
        return Skipped(where, "no chat: `messages` is missing")
    metadata = dict(chat["metadata"]) if isinstance(chat.get("metadata"), dict) else {}
    if isinstance(metadata.get("user"), str):
        metadata.setdefault("user_id", metadata["user"])
    model = chat.get("model")
    try:
        return trajectory(
            str(chat.get("id") or chat.get("session_id") or f"chat-{number}"),
            chat["messages"],
            feedback=_feedback(chat.get("feedback")),
            agent=Agent(model=model) if isinstance(model, str) else None,
            metadata=metadata,
        )
    except MessagesError as problem:
        return Skipped(where, str(problem))


def _feedback(value: Any) -> tuple[Feedback, ...]:
    given = value if isinstance(value, list) else [value]
    return tuple(item for one in given if (item := _one(one)) is not None)


def _one(value: Any) -> Feedback | None:
    comment = value.get("comment") if isinstance(value, dict) else None
    rating = value.get("rating", value.get("value")) if isinstance(value, dict) else value
    if isinstance(rating, bool):
        return Feedback("thumbs", rating, comment=comment)
    if isinstance(rating, str):
        word = rating.strip().lower().replace("-", "_").replace(" ", "_")
        if word in DOWN | UP:
            return Feedback("thumbs", word in UP, comment=comment)
        return Feedback("label", rating, comment=comment)
    if isinstance(rating, int | float):
        return Feedback("score", rating, comment=comment)
    return Feedback("comment", None, comment=comment) if isinstance(comment, str) else None
