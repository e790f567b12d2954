"""Which sessions are wanted, in words that every store shares; what none of them answers alike
is decided here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from bot import utc
from bot.sources.spans.session import tags
from bot.sources.spans.span import Session, Vote
from bot.sources.spans.steps import error_of
from bot.sources.spans.times import instant
from bot.sources.spans.vocabulary import text_field
from context_repo_schema.config import BadVote, Source

SHARES = 2**32
MACHINES = frozenset({"code", "llm", "eval", "llm_judge", "auto_eval"})


class Query(msgspec.Struct, frozen=True):
    """`since` is from when on something must have happened, `oldest` how far back a session that
    was only voted on since then may lie; None for all times."""

    project: str | None = None
    since: datetime | None = None
    oldest: datetime | None = None
    environment: str | None = None
    tags: tuple[str, ...] = ()
    only_errors: bool = False
    feedback_below: float | None = None
    sample: float = 1.0
    bad_votes: Mapping[str, BadVote] = {}


def query(source: Source, since: datetime | None) -> Query:
    """What a configured source asks for; the window reaches back by the overlap."""
    start = None if since is None else since - timedelta(hours=source.overlap_hours)
    return Query(
        project=source.project,
        since=start,
        oldest=None if start is None else start - timedelta(days=source.late_votes_days),
        environment=source.environment,
        tags=source.tags,
        only_errors=source.only_errors,
        feedback_below=source.feedback_below,
        sample=source.sample,
        bad_votes=source.bad_votes,
    )


def wanted(session: Session, asked: Query) -> bool:
    """Whether a session is what was asked for."""
    return (
        sampled(session.session_id, asked.sample)
        and _recent(session, asked.since)
        and _of_environment(session, asked.environment)
        and set(asked.tags) <= (tags(session.spans) if asked.tags else set())
        and (not asked.only_errors or any(error_of(span) for span in session.spans))
        and (asked.feedback_below is None or _voted_below(session.votes, asked.feedback_below))
    )


def sampled(session_id: str, share: float) -> bool:
    """The same sessions are taken whenever a share is asked for."""
    digest = hashlib.sha256(session_id.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:4], "big") < share * SHARES


def stamp(at: datetime | None) -> str | None:
    """A time as stores take it: RFC 3339 in UTC."""
    return None if at is None else utc.stamp(at)


def _recent(session: Session, since: datetime | None) -> bool:
    """Something was traced or voted since then; a session that tells no time is recent."""
    if since is None:
        return True
    traced = [span.end or span.start for span in session.spans]
    voted = [instant(vote.timestamp) for vote in session.votes]
    times = [at for at in (*traced, *voted) if at]
    return not times or max(times) >= (instant(stamp(since)) or 0)


def _of_environment(session: Session, environment: str | None) -> bool:
    told = (text_field(span, "environment") for span in session.spans)
    return environment is None or environment in told


def _voted_below(votes: tuple[Vote, ...], limit: float) -> bool:
    scores = (v.score for v in votes if (v.source or "").lower() not in MACHINES)
    return any(score is not None and score < limit for score in scores)
