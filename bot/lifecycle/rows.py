"""The dashboard's lines: what every finding and every pull request is at, in our own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bot.defang import cell
from bot.identity.names import counted
from bot.lifecycle.dashboard import Board, Box, Memory, Row, Watch, hidden_name
from bot.lifecycle.decide import Course, Step, is_idle, is_stale
from bot.lifecycle.facts import Pull, Word
from bot.lifecycle.history import Past, Present, asleep
from bot.lifecycle.state import state_of
from bot.lifecycle.watch import told
from bot.records.plan import Published
from bot.records.report import Proposal


class Report(msgspec.Struct, frozen=True):
    """A run as far as the dashboard tells of it. `outcomes` says what became of each unit of the
    plan, `approvals` which of them wait for a person's leave."""

    present: Present
    courses: Sequence[Course]
    steps: Sequence[Step]
    outcomes: Mapping[str, Published]
    approvals: Mapping[str, str]
    memory: Memory


def board_of(report: Report, status: str, run: str, problems: tuple[Row, ...]) -> Board:
    """The whole dashboard."""
    return Board(
        status=status,
        run=run,
        problems=problems,
        controls=controls(report),
        rows=rows(report),
        memory=report.memory,
    )


def rows(report: Report) -> dict[str, tuple[Row, ...]]:
    """The lines by section."""
    return {
        "open": tuple(_open(report)),
        "queued": tuple(_queued(report)),
        "watching": tuple(_watching(report)),
        "back": tuple(_back(report)),
        "rejected": tuple(_rejected(report)),
        "candidates": tuple(_candidates(report)),
    }


def controls(report: Report) -> tuple[Row, ...]:
    """The boxes that are about no single finding."""
    shown = [Row("Only look in the next run: open and change nothing", Box("run-preview"))]
    if is_idle(report.present):
        shown.insert(0, Row("Go on, though nobody has looked for long", Box("resume-all")))
    return tuple(shown)


def link(pull: Pull) -> str:
    """A relative link, so that the pull request is not told of every run."""
    return f"[no.{pull.number}](../pull/{pull.number})"


def _open(report: Report) -> Iterator[Row]:
    waiting = {step.scene.pull.number: step.scene.joined for step in report.steps}
    spent = {step.scene.pull.number for step in report.steps if step.scene.spent}
    for pull in report.present.pulls:
        if pull.state != "open":
            continue
        if pull.marker is None:
            yield Row(f"{link(pull)} was written by a later release")
            continue
        notes = [state_of(pull), _runs(pull.marker.count)]
        if waiting.get(pull.number):
            notes.append(f"{waiting[pull.number]} more findings wait")
        if pull.conflicts:
            notes.append("conflicts with its base")
        if pull.number in spent:
            notes.append("its sessions were not found in the trace stores")
        if is_stale(pull, report.present):
            notes.append("aging: nobody has touched it for long")
        yield Row(f"{link(pull)}: {', '.join(notes)}")


def _runs(count: int) -> str:
    return counted(count, "failed run", "failed runs")


def _queued(report: Report) -> Iterator[Row]:
    for course in report.courses:
        unit = course.proposal.change_set
        done = report.outcomes.get(unit.unit_id)
        if unit.state == "candidate" or done is None or course.do == "join":
            continue
        if done.action not in ("queued", "blocked") and not _is_preview(course, done):
            continue
        finding = report.approvals.get(unit.unit_id)
        box = Box("approve", finding) if finding else None
        yield Row(f"{_name(course.proposal)}: {cell(done.reason)}", box)


def _is_preview(course: Course, done: Published) -> bool:
    return course.do == "open" and done.action == "skipped"


def _watching(report: Report) -> Iterator[Row]:
    known = {watch.number: watch for watch in report.memory.watch}
    for pull in report.present.pulls:
        watch = known.get(pull.number, Watch(pull.number))
        if state_of(pull) == "merged" and watch.outcome != "back":
            edited = pull.digest is not None and not pull.is_ours_alone
            edits = " It was merged with edits." if edited else ""
            yield Row(f"{link(pull)}: {told(pull, watch, report.present)}{edits}")


def _back(report: Report) -> Iterator[Row]:
    known = {watch.number: watch for watch in report.memory.watch}
    for pull in report.present.pulls:
        watch = known.get(pull.number)
        if watch is not None and watch.outcome == "back":
            yield Row(f"{link(pull)}: {told(pull, watch, report.present)}")
    for course in report.courses:
        for part, past in course.pasts:
            if past.verdict == "escalated":
                yield Row(f"{_name(part)}: {past.reason}")


def _rejected(report: Report) -> Iterator[Row]:
    grown = {
        past.pull.number: (part, past)
        for course in report.courses
        for part, past in course.pasts
        if past.verdict == "rejected" and past.pull is not None
    }
    for pull in report.present.pulls:
        state = state_of(pull)
        if state not in ("rejected", "expired", "reverted"):
            continue
        until = asleep(pull, report.present.decided)
        if until is not None:
            yield Row(f"{link(pull)}: snoozed until {until:%Y-%m-%d}")
            continue
        row = f"{link(pull)}: {_ended(pull, state)}"
        if pull.number not in grown:
            yield Row(row)
            continue
        part, past = grown[pull.number]
        yield _rejected_row(row, pull, part, past)
    for name, word in report.present.decided.ignored.items():
        if word.until is None or word.until > report.present.now:
            yield Row(_ignored(name, word), Box("unignore", hidden_name(name)))


def _rejected_row(row: str, pull: Pull, part: Proposal, past: Past) -> Row:
    """With how the evidence has grown, and a box where it has grown much."""
    before = pull.marker.count if pull.marker else 0
    now = len(part.change_set.sessions)
    if now <= before:
        return Row(row)
    text = f"{row}; {now} sessions by now, {before} then"
    if not past.grown:
        return Row(text)
    finding = part.change_set.finding_ids[0]
    return Row(f"{text}. Propose again?", Box("propose-again", finding))


def _ended(pull: Pull, state: str) -> str:
    if state == "reverted":
        return "merged, and reverted since"
    when = f" on {pull.closed_at:%Y-%m-%d}" if pull.closed_at else ""
    return f"{state}: closed by {cell(pull.closed_by)}{when}"


def _ignored(name: str, word: Word) -> str:
    until = f" until {word.until:%Y-%m-%d}" if word.until else ""
    why = f": {cell(word.why)}" if word.why else ""
    return f"{cell(name)} ignored by {cell(word.who)} on {word.when:%Y-%m-%d}{until}{why}"


def _candidates(report: Report) -> Iterator[Row]:
    for course in report.courses:
        unit = course.proposal.change_set
        if unit.state == "candidate":
            reason = unit.reasons[0] if unit.reasons else "below the evidence bar"
            yield Row(f"{_name(course.proposal)}: {cell(reason)}")


def _name(proposal: Proposal) -> str:
    return cell(proposal.pull_request.title)
