"""A proposal of several findings, with each of them by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from bot.lifecycle.traffic import finding_of
from bot.records.report import Proposal, SessionResult


def with_parts(
    whole: Proposal,
    sessions: Sequence[SessionResult],
    described: Callable[[Sequence[SessionResult]], tuple[Proposal, ...]],
) -> Proposal:
    """The proposal with its parts: what `described` makes of one finding's sessions alone.

    Only what may be opened has parts, and only where every finding can stand by itself.
    """
    unit = whole.change_set
    if unit.state == "candidate" or len(unit.finding_ids) == 1:
        return whole
    own = [s for s in sessions if s.session_id in {*unit.sessions}]
    parts = [
        part
        for finding in unit.finding_ids
        for part in described([s for s in own if finding_of(s) == finding])
        if part.change_set.state != "candidate" and part.change_set.finding_ids == (finding,)
    ]
    return replace(whole, alone=tuple(parts)) if len(parts) == len(unit.finding_ids) else whole
