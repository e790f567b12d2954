"""Chat logs: one JSON object a line with `messages`, and an id, feedback and metadata if known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.report import Skipped
from bot.records.trajectory import Agent, Trajectory
from bot.sources.logs.feedback import feedback
from bot.sources.logs.json_files import Record, records
from bot.sources.messages import MessagesError, trajectory


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every chat below a path; blank lines are passed over."""
    for record in records(path):
        yield record if isinstance(record, Skipped) else _chat(record)


def _chat(record: Record) -> Trajectory | Skipped:
    chat = record.value
    if not isinstance(chat, dict) or not isinstance(chat.get("messages"), list):
        return Skipped(record.where, "no chat: `messages` is missing")
    metadata = dict(chat["metadata"]) if isinstance(chat.get("metadata"), dict) else {}
    if isinstance(metadata.get("user"), str):
        metadata.setdefault("user_id", metadata["user"])
    if record.notes:
        metadata["reading"] = dict(record.notes)
    model = chat.get("model")
    try:
        return trajectory(
            str(chat.get("id") or chat.get("session_id") or record.derived()),
            chat["messages"],
            feedback=feedback(chat.get("feedback")),
            agent=Agent(model=model) if isinstance(model, str) else None,
            metadata=metadata,
        )
    except MessagesError as problem:
        return Skipped(record.where, str(problem))
