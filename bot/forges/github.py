"""Publishing to GitHub: read all, decide without GitHub, then do. Every deed writes only what is
missing, so that a second run writes nothing, and one that was cut off is finished by the next."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from bot.defang import log_line
from bot.errors import AccessError
from bot.forges.answer import answered, seen
from bot.forges.board import SWITCHED_OFF, write_board
from bot.forges.client import BadToken, Declined
from bot.forges.environment import access, refuse_reader_keys
from bot.forges.held import held_back
from bot.forges.hub import Hub, enter
from bot.forges.opening import open_pull
from bot.forges.perform import perform
from bot.forges.prune import prune
from bot.forges.reading import Snapshot, snapshot
from bot.forges.recheck import needs_leave, refusals
from bot.forges.rewrite import Done
from bot.forges.say import say_once
from bot.forges.site import Site
from bot.identity.names import counted
from bot.lifecycle.dashboard import Watch, render
from bot.lifecycle.decide import (
    Course,
    Step,
    Tally,
    counting,
    course,
    is_idle,
    over_limits,
    over_pushes,
    step,
)
from bot.lifecycle.history import wanted
from bot.lifecycle.rows import Report, board_of
from bot.lifecycle.watch import told, watches
from bot.records.plan import Action, Plan, Publication, Published
from bot.reports.sections import SAFE_URL

log = logging.getLogger("trace-bot")
LOOK_ONLY = "this run only looks, as a box on the dashboard asks"
NO_BOARD = "; it needs the dashboard for that: set `dashboard: true`"


class Run(msgspec.Struct, frozen=True):
    """What was decided before anything was written."""

    hub: Hub
    plan: Plan
    read: Snapshot
    courses: tuple[Course, ...]
    steps: tuple[Step, ...]


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
        run = _decided(enter(plan, self._site), plan)
        seen(run.hub, run.read.inbox)
        stepped = _steps_done(run)
        answered(run.hub, run.read, run.steps, stepped)
        units, warnings = _units_done(run, stepped)
        acted = any(unit.action in ("opened", "updated", "closed") for unit in units)
        # What is said of this run is what the next one will find, so that it has nothing to write.
        after = _decided(run.hub, plan) if acted else run
        prune(run.hub, after.read)
        warnings += tuple(w for done in stepped.values() for w in done.warnings)
        warning, unwritten = _tell(run, after, units)
        if run.read.foreign:
            warnings += (f"{run.read.foreign} pull requests look like ours and are not; ignored",)
        return Publication(units, (*warnings, *warning), unwritten)


def _decided(hub: Hub, plan: Plan) -> Run:
    read = snapshot(hub, plan)
    courses = tuple(course(proposal, read.present) for proposal in plan.proposals)
    ours = [p for p in read.present.pulls if p.state == "open" and p.marker is not None]
    steps = tuple(step(pull, courses, read.present, hub.settings) for pull in ours)
    return Run(hub, plan, read, courses, steps)


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
            done[pull.number] = perform(run.hub, one)
        except Declined as refusal:
            done[pull.number] = Done("failed", str(refusal))
    return done


def _may_not(run: Run, one: Step, pushed: int) -> str:
    """Why a branch may not be pushed in this run, or nothing."""
    if one.row.do not in ("redraft", "carry"):
        return ""
    if one.row.do == "redraft" and one.course is not None:
        held = held_back(one.course.proposal.change_set, run.hub.settings)
        waits = held.reason if held is not None else _leave(run, one.course)
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
        unit, more = _unit(run, one, Tally(standing + opened, opened, pushed + opened), stepped)
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
    waits = _leave(run, one) or over_limits(tally, hub.settings, is_idle(run.read.present))
    if waits:
        return _left(one, "queued", waits), ()
    try:
        return open_pull(hub, one)
    except Declined as refused:
        return _left(one, "failed", str(refused)), ()


def _leave(run: Run, one: Course) -> str:
    """Why it waits for a person's leave, or nothing."""
    unit = one.proposal.change_set
    reason = needs_leave(unit, run.hub.context, run.hub.settings)
    if not reason or wanted(unit, run.read.present.decided.approved, one.pull):
        return ""
    more = "" if run.hub.settings.publishing.dashboard else NO_BOARD
    return f"waits for approval: {reason}{more}"


def _tell(run: Run, after: Run, units: Sequence[Published]) -> tuple[tuple[str, ...], str]:
    """Outcomes are said and the dashboard is written, of GitHub as it is after the run. Returns
    warnings, and the text that could not be written since issues are switched off."""
    approvals = {
        one.proposal.change_set.unit_id: one.proposal.change_set.finding_ids[0]
        for one in after.courses
        if one.do == "open" and _leave(run, one)
    }
    read, hub = run.read, run.hub
    watch = watches(read.memory.watch, read.present, hub.context, run.courses)
    memory = replace(read.memory, watch=watch)
    _say_outcomes(run, watch)
    if not hub.settings.publishing.dashboard:
        return (), ""
    outcomes = {unit.unit_id: unit for unit in units}
    report = Report(after.read.present, after.courses, after.steps, outcomes, approvals, memory)
    problems = [f"{unit.branch}: {unit.reason}" for unit in units if unit.action == "failed"]
    board = board_of(report, _status(run), _run_of(run.plan), problems)
    warning = write_board(hub, read.board, board, read.acted)
    unwritten = render(board, hub.now) if warning == SWITCHED_OFF else ""
    return ((warning,) if warning else ()), unwritten


def _say_outcomes(run: Run, watch: Sequence[Watch]) -> None:
    """What became of a merged one, said once there (T16, T17)."""
    known = {one.number: one.outcome for one in run.read.memory.watch}
    pulls = {pull.number: pull for pull in run.read.present.pulls}
    for one in watch:
        if one.outcome and known.get(one.number) != one.outcome:
            text = told(pulls[one.number], one, run.read.present)
            say_once(run.hub, one.number, text, text.partition(":")[0])


def _status(run: Run) -> str:
    present = run.read.present
    partial = " Some sessions could not be read, so nothing is closed." if present.partial else ""
    sessions = counted(len(present.observed), "session", "sessions")
    return f"Mode {run.hub.settings.publishing.mode}, {sessions} read.{partial}"


def _run_of(plan: Plan) -> str:
    """What the analysis cost, and where it can be looked at."""
    cost = f"for {plan.cost_usd:.2f} USD" if plan.cost_usd else ""
    link = f"([run]({plan.run_url}))" if SAFE_URL.fullmatch(plan.run_url) else ""
    return " ".join(filter(None, (cost, link)))


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
