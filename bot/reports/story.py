"""All that one pull request tells of, and what of it the repository itself settles."""

from __future__ import annotations

import msgspec

from bot.context.repo import ContextRepo
from bot.faults.catalog import catalog
from bot.records.change import ChangeSet, Recommendation
from bot.records.plan import GateResult, RunInfo, Trial
from bot.records.report import SessionResult


class Story(msgspec.Struct, frozen=True):
    """All that the sections are made from; `sessions` are the evidence, the oldest first."""

    change_set: ChangeSet
    sessions: tuple[SessionResult, ...]
    repo: ContextRepo
    gates: tuple[GateResult, ...]
    run: RunInfo
    primary: str
    title: str
    labels: tuple[str, ...]
    trials: tuple[Trial, ...] = ()


def authority(story: Story) -> str | None:
    """The file that says otherwise, one that settles the matter before any other, or None."""
    claims = sorted(_claims(story), key=lambda claim: not claim.verified)
    return next((c.authoritative_source for c in claims if c.authoritative_source), None)


def verified(story: Story) -> bool:
    """Whether anything but users' words speaks for the change."""
    return any(claim.verified for claim in _claims(story))


def absent(story: Story) -> bool:
    """Whether right text is missing, rather than wrong text there."""
    absences = {name for name, fault in catalog().items() if fault.kind == "absence"}
    return story.change_set.operation == "CREATE" or story.change_set.kind in absences


def _claims(story: Story) -> list[Recommendation]:
    return [r.recommendation for r in story.sessions if r.recommendation]
