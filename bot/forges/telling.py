"""What a run tells people: outcomes of merged fixes, once, and the dashboard."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.defang import cell
from bot.forges.board import SWITCHED_OFF, write_board
from bot.forges.decided import Run, waits_for_leave
from bot.forges.say import say_once
from bot.identity.names import counted
from bot.lifecycle.dashboard import Row, Watch, render
from bot.lifecycle.rows import Report, board_of
from bot.lifecycle.watch import told, watches
from bot.lifecycle.window import read_up_to
from bot.records.plan import Plan, Published
from bot.reports.sections import SAFE_URL

LONGEST = 400


def tell(
    run: Run, after: Run, units: Sequence[Published], problems: tuple[Row, ...] = ()
) -> tuple[tuple[str, ...], str]:
    """Outcomes are said and the dashboard is written, of GitHub as it is after the run. Returns
    warnings, and the text that could not be written since issues are switched off."""
    approvals = {
        one.proposal.change_set.unit_id: one.proposal.change_set.finding_ids[0]
        for one in after.courses
        if one.do == "open" and waits_for_leave(run, one)
    }
    read, hub = run.read, run.hub
    watch = watches(read.memory.watch, read.present, hub.context, run.courses)
    reading = read_up_to(read.memory.read_up_to, run.plan.reading, hub.now)
    memory = replace(read.memory, watch=watch, read_up_to=reading)
    _say_outcomes(run, watch)
    if not hub.settings.publishing.dashboard:
        return (), ""
    outcomes = {unit.unit_id: unit for unit in units}
    report = Report(after.read.present, after.courses, after.steps, outcomes, approvals, memory)
    failed = (f"{unit.branch}: {unit.reason}" for unit in units if unit.action == "failed")
    problems += tuple(Row(cell(said, LONGEST)) for said in failed)
    board = board_of(report, _status(run), _run_of(run.plan), problems)
    warning = write_board(hub, read.board, board, read.acted)
    unwritten = render(board, hub.now) if warning == SWITCHED_OFF else ""
    return ((warning,) if warning else ()), unwritten


def _say_outcomes(run: Run, watch: Sequence[Watch]) -> None:
    """What became of a merged one, said once there."""
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


def linked(refusal: str) -> Row:
    """A refusal that ends with the address at which a person can do it, to be clicked."""
    said, _, link = refusal.rpartition(": ")
    address = link.partition("?")[0]
    shown = f": [compare]({address})" if SAFE_URL.fullmatch(address) else ""
    return Row(cell(said, LONGEST) + shown)
