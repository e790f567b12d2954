"""What became of a finding before: whether it may be proposed, and if not, why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from bot.defang import cell
from bot.gates.path import CASES
from bot.identity.marker import Marker
from bot.lifecycle.facts import Decided, Pull, Word
from bot.lifecycle.hunks import Hunk, hunks, overlap
from bot.lifecycle.state import state_of
from bot.lifecycle.traffic import enough
from bot.records.change import ChangeSet
from bot.records.plan import Limits, Observed, Reading
from bot.records.report import Proposal
from bot.reports.body import RUN_LENGTH
from bot.settings import Lifecycle

Verdict = Literal[
    "free", "open", "rejected", "ignored", "snoozed", "expired", "watching", "escalated"
]
# From so much more evidence on, and after so many days, the dashboard offers a rejected one.
GROWTH, GROWTH_DAYS = 3, 14
MOST_MERGED = 3
# How much of a CREATE's evidence must be the same for it to be the same finding.
JACCARD = 0.5


class Present(msgspec.Struct, frozen=True):
    """What a verdict is reached from: our pull requests, what people decided, and the time.

    `reading` is what this run read of all stores, None where it does not tell what is absent.
    """

    pulls: tuple[Pull, ...]
    decided: Decided
    observed: dict[str, Observed]
    limits: Limits
    lifecycle: Lifecycle
    now: datetime
    partial: bool = False
    reading: Reading | None = None


class Past(msgspec.Struct, frozen=True):
    """The verdict on one finding. `pull` is the latest pull request about it, `earlier` are all
    that were merged and did not hold, `grown` says that a rejected one has much more evidence."""

    verdict: Verdict
    reason: str = ""
    pull: Pull | None = None
    earlier: tuple[Pull, ...] = ()
    grown: bool = False


def is_same(pull: Pull, part: Proposal) -> bool:
    """Whether a pull request is about this finding: its id, an alias, the same place in the
    same file, or for a new file the same folder and mostly the same sessions."""
    unit = part.change_set
    if pull.findings & {*unit.finding_ids}:
        return True
    if overlap(hunks_of(part), pull.hunks):
        return True
    created = {
        file.path
        for file in unit.files
        if file.operation == "CREATE" and not file.path.startswith(CASES)
    }
    return bool(created & pull.paths) or (
        bool(_folders(created) & _folders(pull.paths)) and _share(part, pull) >= JACCARD
    )


def hunks_of(part: Proposal) -> tuple[Hunk, ...]:
    """The changed places of a proposal."""
    return tuple(hunk for file in part.change_set.files for hunk in hunks(file.path, file.diff))


def past(part: Proposal, present: Present) -> Past:
    """What is to be done about one finding, given what became of it before."""
    said = _said(part, present)
    if said is not None:
        return said
    about = [pull for pull in present.pulls if is_same(pull, part)]
    standing = [pull for pull in about if pull.state == "open"]
    if standing:
        return Past("open", pull=min(standing, key=lambda pull: pull.number))
    if not about:
        return Past("free")
    latest = max(about, key=lambda pull: pull.number)
    state = state_of(latest)
    if state == "obsolete" or asleep(latest, present.decided) is not None:
        return Past("free", pull=latest)
    if state == "expired":
        return _expired(about, latest, part, present)
    if state == "merged":
        return _merged(about, latest, part, present)
    return _rejected(latest, part, present)


def wanted(unit: ChangeSet, boxes: Mapping[str, datetime], latest: Pull | None) -> bool:
    """Whether a person ticked a box for the unit, and no pull request has come to its end since:
    what was wanted once is not wanted for good."""
    ticked = [at for name in unit.finding_ids if (at := boxes.get(name)) is not None]
    ended = latest.closed_at if latest else None
    return bool(ticked) and (ended is None or max(ticked) >= ended)


def asleep(pull: Pull, decided: Decided) -> datetime | None:
    """Until when one that a person closed had been snoozed, so that it was not rejected."""
    if pull.state != "closed" or pull.closed_at is None:
        return None
    days = [day for name in pull.findings if (day := decided.snoozed.get(name)) is not None]
    return max(days) if days and max(days) > pull.closed_at else None


def next_generation(pulls: Iterable[Pull], unit: str) -> int:
    """1, 2, …: how many pull requests the unit has had, and one more."""
    return 1 + max((p.generation for p in pulls if p.marker and p.marker.unit == unit), default=0)


def _said(part: Proposal, present: Present) -> Past | None:
    """What people said by a command."""
    unit = part.change_set
    names = (*unit.finding_ids, *sorted(file.path for file in unit.files), unit.kind)
    for name in names:
        word = present.decided.ignored.get(name)
        if word is not None and (word.until is None or word.until > present.now):
            return Past("ignored", _ignored(word))
    days = [d for f in unit.finding_ids if (d := present.decided.snoozed.get(f)) is not None]
    if days and max(days) > present.now:
        standing = [p for p in present.pulls if p.state == "open" and is_same(p, part)]
        if not standing:
            return Past("snoozed", f"snoozed until {max(days):%Y-%m-%d}")
    return None


def _ignored(word: Word) -> str:
    why = f": {cell(word.why)}" if word.why else ""
    return f"ignored by {word.who} on {word.when:%Y-%m-%d}{why}"


def _expired(about: Sequence[Pull], latest: Pull, part: Proposal, present: Present) -> Past:
    """Closed by another bot; it rests, may come back once, and then counts as rejected."""
    if sum(state_of(pull) == "expired" for pull in about) > 1:
        return _rejected(latest, part, present)
    closed = latest.closed_at or latest.opened_at
    until = closed + timedelta(days=present.lifecycle.snooze_days)
    if present.now < until:
        who = latest.closed_by
        return Past(
            "expired",
            f"no.{latest.number} was closed by {who}; it rests until {until:%Y-%m-%d}",
            latest,
        )
    return Past("free", pull=latest)


def _rejected(latest: Pull, part: Proposal, present: Present) -> Past:
    """A person said no, which stands until a person says otherwise."""
    if wanted(part.change_set, present.decided.again, latest):
        return Past("free", pull=latest)
    how = "reverted" if latest.reverted else "closed without merging"
    reason = f"no.{latest.number} of the same finding was {how}; it is not proposed again"
    return Past("rejected", reason, latest, grown=_grown(latest, part, present))


def _grown(latest: Pull, part: Proposal, present: Present) -> bool:
    closed = latest.closed_at
    count = latest.marker.count if latest.marker else 0
    much = len(part.change_set.sessions) >= GROWTH * max(count, 1)
    return much and closed is not None and present.now - closed >= timedelta(days=GROWTH_DAYS)


def _merged(about: Sequence[Pull], latest: Pull, part: Proposal, present: Present) -> Past:
    """A merged one is watched; it comes again only on evidence from after it."""
    sessions = part.change_set.sessions
    fresh = [present.observed[s] for s in sessions if s in latest.fresh and s in present.observed]
    if not fresh or not enough(part.change_set, fresh, present.limits):
        reason = f"no.{latest.number} of the same finding was merged; it is watched"
        return Past("watching", reason, latest)
    merged = tuple(sorted((p for p in about if p.state == "merged"), key=lambda pull: pull.number))
    if len(merged) >= MOST_MERGED:
        reason = f"merged {len(merged)} times and back again; a person has to look at it"
        return Past("escalated", reason, latest, merged)
    return Past("free", f"it is back after no.{latest.number} was merged", latest, merged)


def _folders(paths: Iterable[str]) -> set[str]:
    return {path.rpartition("/")[0] for path in paths}


def _share(part: Proposal, pull: Pull) -> float:
    """How much of the shown evidence is the same; a long list is shown in part only."""
    ours = {cell(name, RUN_LENGTH) for name in part.change_set.sessions}
    shown = {*pull.witnesses}
    if isinstance(pull.marker, Marker) and pull.marker.evidence == part.change_set.evidence_digest:
        return 1.0
    if not shown:
        return 0.0
    same = len(ours & shown)
    whole = pull.marker is not None and pull.marker.count <= len(shown)
    return same / (len(ours | shown) if whole else len(shown))
