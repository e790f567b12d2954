"""OTLP files of a collector or an SDK: JSON, one request a line, or protobuf.

User feedback has no place in OTLP; where it is kept beside the traces, a line of it is
`{"trace_id" | "span_id" | "session_id", "name", "label" | "score" | "comment", "source"}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.exports import sessions
from bot.sources.spans import otlp


def convert(path: str) -> Iterator[Trajectory | Skipped]:
    """Every session below a path."""
    return sessions(path, otlp.read)
