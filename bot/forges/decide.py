"""What is to be done about one proposal, given the pull requests that there are. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from bot.forges.pulls import Ours
from bot.records.change import ChangeSet
from bot.records.plan import Action
from bot.settings import Publishing

# New evidence is worth a write from three sessions or a fifth more.
RISE, SHARE = 3, 0.2


class Decision(msgspec.Struct, frozen=True):
    """`open` a new one, `keep` the one there is, or leave it for a reason."""

    do: Literal["open", "keep", "leave"]
    pull: Ours | None = None
    action: Action = "skipped"
    reason: str = ""


class Tally(msgspec.Struct, frozen=True):
    """How many are open, and how many this run has opened."""

    open: int
    opened: int


def decide(
    unit: ChangeSet, branch: str, ours: Sequence[Ours], tally: Tally, publishing: Publishing
) -> Decision:
    """A standing pull request is kept; what was closed or merged never comes again by itself."""
    findings = frozenset(unit.finding_ids)
    same = [pull for pull in ours if pull.branch == branch or pull.holds(findings)]
    standing = [pull for pull in same if pull.state == "open"]
    if standing:
        return _standing(min(standing, key=lambda pull: pull.number), findings)
    for pull in sorted(same, key=lambda pull: pull.number, reverse=True):
        how = "merged" if pull.state == "merged" else "closed without merging"
        reason = f"no.{pull.number} of the same finding was {how}; it is not proposed again"
        if not pull.holds(findings):
            reason = f"no.{pull.number} on the same branch was {how}; the new finding waits"
        return Decision("leave", pull, "skipped", reason)
    touched = frozenset(file.path for file in unit.files)
    for pull in ours:
        if pull.state == "open" and pull.paths & touched:
            reason = f"waits for no.{pull.number}, which is open on the same file"
            return Decision("leave", pull, "queued", reason)
    if tally.open >= publishing.max_open_prs:
        reason = f"queued: {tally.open} are open, max_open_prs is {publishing.max_open_prs}"
        return Decision("leave", None, "queued", reason)
    if tally.opened >= publishing.max_new_prs_per_run:
        reason = f"queued: max_new_prs_per_run is {publishing.max_new_prs_per_run}"
        return Decision("leave", None, "queued", reason)
    return Decision("open")


def evidence_rose(before: int, now: int) -> bool:
    """Whether the count rose by 3 or by 20 %."""
    return now > before and (now - before >= RISE or now - before >= SHARE * before)


def _standing(pull: Ours, findings: frozenset[str]) -> Decision:
    if pull.marker is None:
        reason = f"no.{pull.number} was written by a later release of trace-bot"
        return Decision("leave", pull, "skipped", reason)
    if not findings & {*pull.marker.findings, *pull.marker.aliases}:
        reason = f"waits for no.{pull.number}, which is open on the same file"
        return Decision("leave", pull, "queued", reason)
    return Decision("keep", pull, "unchanged", "")
