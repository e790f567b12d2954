"""What became of a merged fix: whether the sessions that ran with it fail from the same."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.identity.names import counted
from bot.lifecycle.dashboard import Watch
from bot.lifecycle.decide import Course
from bot.lifecycle.facts import Pull
from bot.lifecycle.history import Present
from bot.lifecycle.state import state_of
from bot.lifecycle.traffic import moment, relevant
from bot.records.plan import Observed
from bot.utc import stamp


def watched(pull: Pull, known: Watch, present: Present, repo: ContextRepo, recurred: bool) -> Watch:
    """The watch after this run. `recurred`: the plan has enough evidence from after the merge.

    A session counts once: only those that started after the last one that was counted do.
    """
    if known.outcome == "back" or (known.outcome == "resolved" and not recurred):
        return known
    if recurred:
        return replace(_counted(pull, known, present, repo), outcome="back")
    now_known = _counted(pull, known, present, repo)
    lifecycle = present.lifecycle
    ended = (pull.closed_at or pull.opened_at) + timedelta(days=lifecycle.watch_days)
    quiet = now_known.back == 0 and now_known.seen >= lifecycle.watch_trajectories
    if present.now >= ended and quiet and not present.partial:
        return replace(now_known, outcome="resolved")
    return now_known


def watches(
    known: Iterable[Watch], present: Present, repo: ContextRepo, courses: Iterable[Course]
) -> tuple[Watch, ...]:
    """Every merged pull request's watch after this run, by number."""
    before = {watch.number: watch for watch in known}
    back = {
        pull.number for course in courses for _, past in course.pasts for pull in past.earlier[-1:]
    }
    found = (
        watched(
            pull, before.get(pull.number, Watch(pull.number)), present, repo, pull.number in back
        )
        for pull in present.pulls
        if state_of(pull) == "merged" and pull.marker is not None
    )
    return tuple(sorted(found, key=lambda watch: watch.number))


def told(pull: Pull, watch: Watch, present: Present) -> str:
    """The outcome with its figures, in a sentence."""
    sessions = counted(watch.seen, "session", "sessions")
    before = pull.marker.count if pull.marker else 0
    figures = f"{sessions} with the merged text, {watch.back} failed from it (before: {before})"
    if watch.outcome == "back":
        return f"The fault is back: {figures}."
    if watch.outcome == "resolved":
        return f"Resolved: {figures}."
    ended = (pull.closed_at or pull.opened_at) + timedelta(days=present.lifecycle.watch_days)
    if present.now >= ended and watch.seen < present.lifecycle.watch_trajectories:
        needed = present.lifecycle.watch_trajectories
        return f"Not enough traffic to tell: {figures}; {needed} are needed."
    return f"Watched until {ended:%Y-%m-%d}: {figures}."


def _counted(pull: Pull, known: Watch, present: Present, repo: ContextRepo) -> Watch:
    after = moment(known.until, present.now)
    new = [
        (started, one)
        for one in _ran(pull, present)
        if (started := moment(one.started_at, present.now)) is not None
        and (after is None or started > after)
    ]
    if not new:
        return known
    back = [one for _, one in new if pull.findings & {*one.findings}]
    seen = [one for _, one in new if one in back or relevant(one, pull.paths, repo)]
    latest = max(started for started, _ in new)
    return Watch(
        known.number,
        known.seen + len(seen),
        known.back + len(back),
        stamp(latest),
        known.outcome,
    )


def _ran(pull: Pull, present: Present) -> Iterable[Observed]:
    return (one for name, one in present.observed.items() if name in pull.fresh)
