"""The records between a trace store and a trajectory: spans, votes, and the session they make."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["unset", "ok", "error"]


class Event(msgspec.Struct, frozen=True):
    """Something that a span noted while it ran: an exception, a message, an evaluation."""

    name: str
    attributes: dict[str, Any] = {}


class Span(msgspec.Struct, frozen=True):
    """One span in OpenTelemetry's sense; times are nanoseconds since 1970, None where unknown.

    Attributes keep the names of their vocabulary; `notes` says what was already lost or mended.
    """

    trace_id: str
    span_id: str
    name: str = ""
    parent_id: str | None = None
    start: int | None = None
    end: int | None = None
    status: Status = "unset"
    message: str = ""
    attributes: dict[str, Any] = {}
    resource: dict[str, Any] = {}
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()


class Vote(msgspec.Struct, frozen=True):
    """A judgement on a span, a trace or a session; the most exact of the three ids counts.

    `label` decides over `score`, since a scale is seldom told with its value.
    """

    name: str = ""
    label: str | None = None
    score: bool | int | float | None = None
    comment: str | None = None
    source: str | None = None
    timestamp: str | None = None
    span_id: str | None = None
    trace_id: str | None = None
    session_id: str | None = None


class Session(msgspec.Struct, frozen=True):
    """All spans and votes of one conversation, in any order; the spans are cleaned.

    `derived` where no span names a session, and the id is that of the only trace.
    """

    session_id: str
    spans: tuple[Span, ...]
    votes: tuple[Vote, ...] = ()
    derived: bool = False


class NotReadable(Exception):
    """A record that is none of its format; the sentence says why."""
