"""What the life of an open pull request asks for, done to it. Every deed looks first and writes
only what is missing, so that a run that was cut off anywhere is finished by the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from github.PullRequest import PullRequest
from msgspec.structs import replace

from bot.forges.client import ask
from bot.forges.decorate import decorate, labelled
from bot.forges.hub import Hub
from bot.forges.rewrite import Done, carry, marked, redraft, write
from bot.forges.say import say_once
from bot.identity.marker import Marker, render
from bot.identity.names import EXPIRED
from bot.lifecycle.decide import Course, Step
from bot.lifecycle.state import RULES
from bot.lifecycle.table import Deed, status
from bot.reports.body import STATUS, refreshed, split, with_marker, with_status

CLOSED = "{reason} So this is closed; reopen it if that is wrong."
LOST = "The text that it changes is no longer there."
THEIRS = "its text is a person's"


def perform(hub: Hub, step: Step) -> Done:
    """The step's deed. Raises what `bot.forges.client.ask` does."""
    done = DEEDS[step.row.do](hub, step)
    if step.scene.spent is (step.scene.pull.spent == "told"):
        return done
    handle = ask("read a pull request", lambda: hub.repo.get_pull(step.scene.pull.number))
    warnings = labelled(handle, EXPIRED, step.scene.spent)
    return replace(done, warnings=(*done.warnings, *warnings))


def _keep(hub: Hub, step: Step) -> Done:
    return _tell(hub, step)


def _tell(hub: Hub, step: Step) -> Done:
    """The status line and, where the state lets us, the evidence: one write at most."""
    pull, marker = step.scene.pull, step.scene.pull.marker
    handle = ask("read a pull request", lambda: hub.repo.get_pull(pull.number))
    warnings = _decorated(hub, step, handle)
    sentence = status(step.row, step.scene)
    told = f"{step.scene.state}: {sentence}" if sentence else _waits(step)
    grown = step.scene.rose and RULES[step.scene.state].body == "island"
    back = marker is not None and marker.state != "managed"
    if not (grown or sentence or back or STATUS in (handle.body or "")):
        return Done("unchanged", told, warnings)
    parts = split(handle.body or "")
    if marker is None or parts is None:
        return Done("unchanged", THEIRS, warnings)
    island = parts[1]
    if back:
        island = with_marker(island, render(replace(marker, state="managed")))
    if grown and step.course is not None:
        island = _with_evidence(island, step.course, marker)
    island = with_status(island, sentence)
    if island == parts[1]:
        return Done("unchanged", told, warnings)
    write(handle, parts[0] + island + parts[2])
    return Done("updated", told or "there is more evidence", warnings)


def _waits(step: Step) -> str:
    return f"frozen: {step.scene.pull.head[:12]}" if step.scene.state == "frozen" else ""


def _with_evidence(island: str, course: Course, marker: Marker) -> str:
    """With the evidence of now, and with other ids of the same findings as aliases."""
    news = split(course.proposal.pull_request.body)
    unit = course.proposal.change_set
    same = [
        name
        for part, past in course.pasts
        if past.verdict == "open"
        for name in part.change_set.finding_ids
    ]
    known = {*marker.findings, *marker.aliases}
    risen = replace(
        marker,
        state="managed",
        count=len(unit.sessions),
        evidence=unit.evidence_digest,
        aliases=(*marker.aliases, *(name for name in same if name not in known)),
    )
    return refreshed(island, news[1], render(risen)) if news else island


def _close(hub: Hub, step: Step) -> Done:
    """T9: the marker says so first, so that a run that is cut off is known to have meant it."""
    pull = step.scene.pull
    reason = pull.gone or LOST
    handle = ask("read a pull request", lambda: hub.repo.get_pull(pull.number))
    if pull.marker is not None:
        body = marked(handle.body or "", replace(pull.marker, state="obsolete"))
        if body is not None and body != handle.body:
            write(handle, body)
    sentence = CLOSED.format(reason=reason)
    say_once(hub, pull.number, sentence, sentence)
    ask(f"close no.{pull.number}", lambda: handle.edit(state="closed"))
    return Done("closed", reason)


def _decorated(hub: Hub, step: Step, handle: PullRequest) -> tuple[str, ...]:
    """Labels and reviewers that an interrupted run left out; none where people have the branch."""
    pull = step.scene.pull
    if pull.marker is None or step.scene.state == "frozen":
        return ()
    reviewers = step.course.proposal.pull_request.reviewers if step.course else ()
    return decorate(hub, handle, pull.marker.labels, reviewers)


DEEDS: Mapping[Deed, Callable[[Hub, Step], Done]] = {
    "redraft": redraft,
    "carry": carry,
    "close": _close,
    "tell": _tell,
    "keep": _keep,
}
