"""Publishing to GitHub: read all, decide without GitHub, then do. Every deed writes only what is
missing, so that a second run writes nothing, and one that was cut off is finished by the next."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial

from bot.defang import log_line
from bot.errors import AccessError, CannotOpenPullRequest
from bot.forges.answer import answered, seen
from bot.forges.client import BadToken, Declined
from bot.forges.decided import Run, decided, waits_for_leave
from bot.forges.environment import access, refuse_reader_keys
from bot.forges.held import held_back
from bot.forges.hub import enter
from bot.forges.opening import open_pull
from bot.forges.perform import perform
from bot.forges.prune import prune
from bot.forges.recheck import refusals
from bot.forges.rewrite import Done
from bot.forges.site import Site
from bot.forges.telling import linked, tell
from bot.isolate import Broken, isolated
from bot.lifecycle.decide import (
    Course,
    Step,
    Tally,
    counting,
    is_idle,
    over_limits,
    over_pushes,
)
from bot.records.plan import Action, Plan, Publication, Published

log = logging.getLogger("trace-bot")
LOOK_ONLY = "this run only looks, as a box on the dashboard asks"


class GitHubForge:
    """Opens the pull requests of a plan, and keeps those that stand.

    What GitHub declines of one unit is that unit's outcome, and the others go on. `publish`
    raises what `bot.errors` lists under 2, 3, 4, 5 and 75 for what stops every unit; whatever was
    done by then stands, and the next run goes on from there.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def publish(self, plan: Plan) -> Publication:
        """Standing pull requests first, then new ones in the order of the plan."""
        try:
            return self._publish(plan)
        except BadToken as refusal:
            variable = access(self._site.environment).variable
            raise AccessError(f"{refusal}; set {variable} anew") from refusal

    def _publish(self, plan: Plan) -> Publication:
        if not self._site.single_job:
            refuse_reader_keys(self._site.environment)
        run = decided(enter(plan, self._site), plan)
        seen(run.hub, run.read.inbox)
        stepped = _steps_done(run)
        answered(run.hub, run.read, run.steps, stepped)
        try:
            units, warnings = _units_done(run, stepped)
        except CannotOpenPullRequest as refusal:
            tell(run, run, (), (linked(str(refusal)),))
            raise
        acted = any(unit.action in ("opened", "updated", "closed") for unit in units)
        # What is said of this run is what the next one will find, so that it has nothing to write.
        after = decided(run.hub, plan) if acted else run
        prune(run.hub, after.read)
        warnings += tuple(w for done in stepped.values() for w in done.warnings)
        warning, unwritten = tell(run, after, units)
        if run.read.foreign:
            warnings += (f"{run.read.foreign} pull requests look like ours and are not; ignored",)
        return Publication(units, (*warnings, *warning), unwritten)


def _steps_done(run: Run) -> dict[int, Done]:
    """What was done to each open pull request, by its number."""
    done: dict[int, Done] = {}
    for one in run.steps:
        pull = one.scene.pull
        pushed = sum(each.pushed for each in done.values())
        waits = LOOK_ONLY if _looks_only(run) else _may_not(run, one, pushed)
        if waits:
            done[pull.number] = Done("unchanged", waits)
            continue
        try:
            answer = isolated("a pull request", partial(perform, run.hub, one))
        except Declined as refusal:
            answer = Done("failed", str(refusal))
        done[pull.number] = Done("failed", _bug(answer)) if isinstance(answer, Broken) else answer
    return done


def _may_not(run: Run, one: Step, pushed: int) -> str:
    """Why a branch may not be pushed in this run, or nothing."""
    if one.row.do not in ("redraft", "carry"):
        return ""
    if one.row.do == "redraft" and one.course is not None:
        held = held_back(one.course.proposal.change_set, run.hub.settings)
        waits = held.reason if held is not None else waits_for_leave(run, one.course)
        if waits:
            return waits
    return over_pushes(Tally(0, 0, pushed), run.hub.settings)


def _looks_only(run: Run) -> bool:
    return run.read.is_preview or run.hub.settings.publishing.mode == "preview"


def _units_done(
    run: Run, stepped: Mapping[int, Done]
) -> tuple[tuple[Published, ...], tuple[str, ...]]:
    units: list[Published] = []
    warnings: tuple[str, ...] = ()
    ended = sum(done.action == "closed" for done in stepped.values())
    pushed = sum(done.pushed for done in stepped.values())
    standing = counting(run.read.present.pulls) - ended
    for one in run.courses:
        opened = sum(unit.action == "opened" for unit in units)
        tally = Tally(standing + opened, opened, pushed + opened)
        answer = isolated("a unit", partial(_unit, run, one, tally, stepped))
        if isinstance(answer, Broken):
            answer = _left(one, "failed", _bug(answer)), ()
        unit, more = answer
        units.append(unit)
        warnings += more
        log.info("%s: %s", unit.unit_id, log_line(_outcome(unit)))
    told = {one.pull.number for one in run.courses if one.do == "join" and one.pull}
    for number, done in stepped.items():
        if number not in told and done.action != "unchanged":
            pull = next(s.scene.pull for s in run.steps if s.scene.pull.number == number)
            name = pull.marker.unit if pull.marker else ""
            units.append(Published(name, done.action, pull.branch, number, pull.url, done.reason))
    return tuple(units), warnings


def _unit(
    run: Run, one: Course, tally: Tally, stepped: Mapping[int, Done]
) -> tuple[Published, tuple[str, ...]]:
    """What became of one proposal of the plan, and what went wrong on the side."""
    hub, unit = run.hub, one.proposal.change_set
    held = held_back(unit, hub.settings)
    if held is not None:
        return _left(one, held.action, held.reason), ()
    if one.do == "join" and one.pull is not None:
        done = stepped[one.pull.number]
        return _left(one, done.action, done.reason), ()
    refusal = next(refusals(one.proposal, hub.context, hub.settings), None)
    if refusal is not None:
        return _left(one, "blocked", refusal), ()
    if one.do != "open":
        return _left(one, one.action, one.reason), ()
    if run.read.is_preview:
        return _left(one, "skipped", LOOK_ONLY), ()
    idle = is_idle(run.read.present)
    waits = waits_for_leave(run, one) or over_limits(tally, hub.settings, idle)
    if waits:
        return _left(one, "queued", waits), ()
    try:
        return open_pull(hub, one)
    except Declined as refused:
        return _left(one, "failed", str(refused)), ()


def _bug(broken: Broken) -> str:
    return f"a bug in trace-bot: {broken.reason}; the others went on"


def _outcome(unit: Published) -> str:
    return f"{unit.action} {unit.url or unit.branch} {unit.reason}".strip()


def _left(one: Course, action: Action, reason: str) -> Published:
    pull = one.pull
    return Published(
        unit_id=one.proposal.change_set.unit_id,
        action=action,
        branch=pull.branch if pull else one.proposal.pull_request.branch,
        number=pull.number if pull else None,
        url=pull.url if pull else None,
        reason=reason,
    )
