"""What is to be done, pull request by pull request and proposal by proposal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from bot.lifecycle.evidence import is_spent
from bot.lifecycle.facts import Pull
from bot.lifecycle.history import Past, Present, next_generation, past
from bot.lifecycle.state import RULES, state_of
from bot.lifecycle.table import Scene, Transition, transition
from bot.records.plan import Action
from bot.records.report import Proposal
from bot.settings import Lifecycle, Settings

# New evidence is worth a write from three sessions or a fifth more (T1).
RISE, SHARE = 3, 0.2


class Course(msgspec.Struct, frozen=True):
    """What becomes of one proposal of the plan.

    `proposal` is what is left of it after what people decided: the whole, or one finding of it.
    `pull` is the pull request that it belongs to or that it comes after, `pasts` the verdict on
    each of its findings. For `open`, `generation` counts the unit's pull requests and `earlier`
    are those that were merged and did not hold.
    """

    do: Literal["open", "join", "leave"]
    proposal: Proposal
    pasts: tuple[tuple[Proposal, Past], ...]
    action: Action = "skipped"
    reason: str = ""
    pull: Pull | None = None
    generation: int = 1
    earlier: tuple[Pull, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """What is done to one open pull request: a row of the table, in its scene, with the proposal
    of the plan that is about it."""

    row: Transition
    scene: Scene
    course: Course | None = None


class Tally(msgspec.Struct, frozen=True):
    """How many are open and count, how many this run has opened, and how often it has pushed."""

    open: int
    opened: int
    pushed: int


def course(proposal: Proposal, present: Present) -> Course:
    """Whether a proposal is opened, belongs to an open pull request, or is left for a reason."""
    parts = proposal.alone or (proposal,)
    pasts = tuple((part, past(part, present)) for part in parts)
    standing = [one.pull for _, one in pasts if one.verdict == "open" and one.pull is not None]
    free = [part for part, one in pasts if one.verdict == "free"]
    if standing:
        return _joining(proposal, pasts, _oldest(standing))
    if not free:
        _, first = pasts[0]
        return Course("leave", proposal, pasts, "skipped", first.reason, first.pull)
    chosen = proposal if len(free) == len(parts) else free[0]
    touched = {file.path for file in chosen.change_set.files}
    others = [p for p in present.pulls if p.state == "open" and p.paths & touched]
    if others:
        first_open = _oldest(others)
        reason = f"waits for no.{first_open.number}, which is open on the same file"
        return Course("leave", chosen, pasts, "queued", reason, first_open)
    verdicts = [one for part, one in pasts if part in free]
    return Course(
        "open",
        chosen,
        pasts,
        "opened",
        verdicts[0].reason,
        verdicts[0].pull,
        next_generation(present.pulls, chosen.change_set.unit_id),
        tuple({p.number: p for one in verdicts for p in one.earlier}.values()),
    )


def step(pull: Pull, courses: Sequence[Course], present: Present, settings: Settings) -> Step:
    """What is done to an open pull request that this release wrote."""
    own = next((c for c in courses if c.do == "join" and c.pull is pull and _is_proposed(c)), None)
    joined = _joined(own, pull) + _waiting(courses, pull)
    scene = Scene(
        pull=pull,
        state=state_of(pull),
        fresh=own is not None and _covers(own, pull),
        joined=joined,
        rose=own is not None and _rose(own, pull),
        asked=_is_asked(pull, present),
        partial=present.partial,
        keep_updated=settings.lifecycle.keep_updated,
        stale=is_stale(pull, present),
        spent=own is None and is_spent(pull, present),
    )
    return Step(transition(scene), scene, own)


def over_limits(tally: Tally, settings: Settings, idle: bool) -> str:
    """Why no new one may be opened now, or nothing. `idle`: nobody looks at those there are."""
    publishing, lifecycle = settings.publishing, settings.lifecycle
    if idle:
        return (
            f"paused: nobody has touched a pull request of trace-bot for "
            f"{lifecycle.pause_after_idle} days"
        )
    if tally.open >= publishing.max_open_prs:
        return f"queued: {tally.open} are open, max_open_prs is {publishing.max_open_prs}"
    if tally.opened >= publishing.max_new_prs_per_run:
        return f"queued: max_new_prs_per_run is {publishing.max_new_prs_per_run}"
    return over_pushes(tally, settings)


def over_pushes(tally: Tally, settings: Settings) -> str:
    """Why no branch may be pushed any more in this run, or nothing."""
    most = settings.publishing.max_pushes_per_run
    return f"queued: max_pushes_per_run is {most}" if tally.pushed >= most else ""


def is_idle(present: Present) -> bool:
    """There are open ones, and no person has touched any of them for a long time."""
    standing = [pull for pull in present.pulls if pull.state == "open"]
    touched = [pull.touched_at for pull in standing]
    if present.decided.resumed is not None:
        touched.append(present.decided.resumed)
    return bool(standing) and present.now - max(touched) > _days(present.lifecycle, "idle")


def is_stale(pull: Pull, present: Present) -> bool:
    """T22: open for long and touched by nobody."""
    return present.now - pull.touched_at > _days(present.lifecycle, "stale")


def counting(pulls: Sequence[Pull]) -> int:
    """How many pull requests count to the limit."""
    return sum(RULES[state_of(pull)].counts for pull in pulls)


def evidence_rose(before: int, now: int) -> bool:
    """Whether the count rose by 3 or by 20 %."""
    return now > before and (now - before >= RISE or now - before >= SHARE * before)


def _days(lifecycle: Lifecycle, of: Literal["idle", "stale"]) -> timedelta:
    days = lifecycle.pause_after_idle if of == "idle" else lifecycle.stale_after
    return timedelta(days=days)


def _joining(proposal: Proposal, pasts: tuple[tuple[Proposal, Past], ...], pull: Pull) -> Course:
    if pull.marker is None:
        reason = f"no.{pull.number} was written by a later release of trace-bot"
        return Course("leave", proposal, pasts, "skipped", reason, pull)
    return Course("join", _left_of(proposal, pasts), pasts, pull=pull)


def _oldest(pulls: Sequence[Pull]) -> Pull:
    return min(pulls, key=lambda pull: pull.number)


def _left_of(proposal: Proposal, pasts: Sequence[tuple[Proposal, Past]]) -> Proposal:
    """The whole, or where people decided against a part of it, the part that is open."""
    if all(one.verdict in ("open", "free") for _, one in pasts):
        return proposal
    return next(part for part, one in pasts if one.verdict == "open")


def _is_proposed(course: Course) -> bool:
    """A candidate is below the bar, or what a gate stopped, so nothing is done with it."""
    return course.proposal.change_set.state != "candidate"


def _is_asked(pull: Pull, present: Present) -> bool:
    """Whether a person wants it made anew; others' commits need leave of their own."""
    discard = present.decided.rebuild.get(pull.number)
    return discard is not None and (discard or state_of(pull) != "frozen")


def _joined(own: Course | None, pull: Pull) -> int:
    """How many findings of the proposal are new to its pull request."""
    if own is None:
        return 0
    free = sum(one.verdict == "free" for _, one in own.pasts)
    # Findings that cannot stand by themselves come as one part.
    tied = [part.change_set.finding_ids for part, one in own.pasts if one.verdict == "open"]
    return free + sum(name not in pull.findings for ids in tied if len(ids) > 1 for name in ids)


def _waiting(courses: Sequence[Course], pull: Pull) -> int:
    return sum(c.action == "queued" and c.pull is pull and _is_proposed(c) for c in courses)


def _covers(own: Course, pull: Pull) -> bool:
    """Whether the proposal has everything that the pull request has, so that none of it is lost."""
    if pull.conflicts:
        return True
    marked = pull.marker.findings if pull.marker else ()
    known = sum(
        max(1, len(pull.findings & {*part.change_set.finding_ids}))
        for part, one in own.pasts
        if one.verdict == "open" and one.pull is pull
    )
    return known >= len(marked)


def _rose(own: Course, pull: Pull) -> bool:
    before = pull.marker.count if pull.marker else 0
    return evidence_rose(before, len(own.proposal.change_set.sessions))
