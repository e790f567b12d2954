"""The sessions of a run as the life of pull requests needs them, and what they are worth there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from bot.context.repo import ContextRepo
from bot.identity.ids import finding_id, short_hash
from bot.provenance.seen import passages
from bot.provenance.words import strings
from bot.records.change import ChangeSet
from bot.records.finding import Detection, Segment
from bot.records.plan import Limits, Observed
from bot.records.report import SessionResult
from bot.records.trajectory import Trajectory

LONGEST_QUERY, MOST_QUERIES = 400, 20
# What an agent has before it in every session, whether or not a step shows it.
EVERYWHERE = frozenset({"system_prompt", "tool_prompt", "schema_hint", "synonym_map"})


def files_read(trajectory: Trajectory, repo: ContextRepo) -> tuple[str, ...]:
    """The files of the repository that the session's steps name."""
    named = {path for node in trajectory.nodes for path, _ in passages(node) if path}
    found = {resolved for path in named if (resolved := repo.resolve(path)) is not None}
    return tuple(sorted(found))


def asked(trajectory: Trajectory, segments: Sequence[Segment], detection: Detection) -> str:
    """What the user asked for first in the segment that went wrong, or nothing."""
    trigger = detection.trigger_turn_id
    own = next((part.turn_ids for part in segments if trigger in part.turn_ids), ())
    turns = (t for t in trajectory.turns if t.role == "user" and t.turn_id in own)
    return next((turn.content for turn in turns), "")


def looked_up(trajectory: Trajectory) -> tuple[str, ...]:
    """What the session searched the knowledge for, as it was written, each once."""
    searches = (node for node in trajectory.nodes if node.type == "kb_search")
    asked = (node.tool.input if node.tool else node.input for node in searches)
    texts = (text for value in asked for text in strings(value) if " " in text.strip())
    return tuple(dict.fromkeys(text[:LONGEST_QUERY] for text in texts))[:MOST_QUERIES]


def observed(results: Iterable[SessionResult], salt: str) -> tuple[Observed, ...]:
    """Every session without a word of it; `salt` keeps the hash of a person to one repository."""
    return tuple(
        Observed(
            session=result.session_id,
            person=short_hash(f"{salt}\n{result.principal}"),
            started_at=result.started_at,
            context_commit=result.context_commit,
            files=result.files,
            findings=tuple(_findings(result)),
        )
        for result in results
        if result.error is None
    )


def finding_of(result: SessionResult) -> str | None:
    """The finding that a session is evidence of, or None."""
    claim, attribution = result.recommendation, result.attribution
    if claim is None or attribution is None or claim.target_path is None:
        return None
    return finding_id(attribution.fault_category, claim.target_path, claim.anchor)


def moment(stamp: str | None, present: datetime) -> datetime | None:
    """A recorded time, UTC where it names no zone, never later than the present, or None."""
    try:
        read = datetime.fromisoformat((stamp or "").replace("Z", "+00:00"))
    except ValueError:
        return None
    known = read if read.tzinfo else read.replace(tzinfo=UTC)
    return min(known, present)


def enough(unit: ChangeSet, sessions: Sequence[Observed], limits: Limits) -> bool:
    """Whether these sessions alone meet the evidence bar of the unit.

    Only a proposal that is ready is surely proved; any other has to meet the bar of users' words.
    """
    removes, seen = unit.operation == "DELETE", len(sessions)
    if unit.state == "ready":
        proved = limits.min_trajectories_verified
        return seen >= (limits.min_trajectories_verified_delete if removes else proved)
    people = Counter(one.person for one in sessions)
    needed = limits.min_trajectories_delete if removes else limits.min_trajectories
    most = math.ceil(seen * limits.max_share_per_principal / 100)
    return (
        seen >= needed
        and len(people) >= limits.min_principals
        and max(people.values(), default=0) <= most
    )


def relevant(one: Observed, paths: frozenset[str], repo: ContextRepo) -> bool:
    """Whether a session had one of these files before it, as far as its steps say."""
    types = {found.type for path in paths if (found := repo.component(path)) is not None}
    return bool(types & EVERYWHERE) or bool(paths & {*one.files})


def _findings(result: SessionResult) -> Iterator[str]:
    found = finding_of(result)
    if found is not None:
        yield found
