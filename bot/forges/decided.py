"""A run as it was decided: what was read, and what is to be done, before anything is written."""

from __future__ import annotations

import msgspec

from bot.forges.hub import Hub
from bot.forges.reading import Snapshot, snapshot
from bot.forges.recheck import needs_leave
from bot.lifecycle.decide import Course, Step, course, step
from bot.lifecycle.history import wanted
from bot.records.plan import Plan

NO_BOARD = "; it needs the dashboard for that: set `dashboard: true`"


class Run(msgspec.Struct, frozen=True):
    """What was decided before anything was written."""

    hub: Hub
    plan: Plan
    read: Snapshot
    courses: tuple[Course, ...]
    steps: tuple[Step, ...]


def decided(hub: Hub, plan: Plan) -> Run:
    """Reads GitHub and decides; writes nothing."""
    read = snapshot(hub, plan)
    courses = tuple(course(proposal, read.present) for proposal in plan.proposals)
    ours = [p for p in read.present.pulls if p.state == "open" and p.marker is not None]
    steps = tuple(step(pull, courses, read.present, hub.settings) for pull in ours)
    return Run(hub, plan, read, courses, steps)


def waits_for_leave(run: Run, one: Course) -> str:
    """Why it waits for a person's leave, or nothing."""
    unit = one.proposal.change_set
    reason = needs_leave(unit, run.hub.context, run.hub.settings)
    if not reason or wanted(unit, run.read.present.decided.approved, one.pull):
        return ""
    more = "" if run.hub.settings.publishing.dashboard else NO_BOARD
    return f"waits for approval: {reason}{more}"
