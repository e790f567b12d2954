"""A proposal that stands, made anew: another commit in place of the old one, and words to fit."""

from __future__ import annotations

import msgspec
from github.PullRequest import PullRequest
from msgspec.structs import replace

from bot.context.diff import file_change, patch_digest
from bot.forges.branch import base_moved, text_at
from bot.forges.client import ask
from bot.forges.decorate import decorate
from bot.forges.git import Commit, Refused
from bot.forges.hub import Hub
from bot.forges.inspect import as_change_set
from bot.forges.recheck import refusals, stops
from bot.identity.ids import short_hash
from bot.identity.marker import Marker, render
from bot.identity.names import commit_message, counted
from bot.lifecycle.decide import Course, Step
from bot.lifecycle.facts import Pull
from bot.records.change import FileChange
from bot.records.plan import Action
from bot.reports.body import earlier, split, with_earlier, with_island, with_marker


class Done(msgspec.Struct, frozen=True):
    """What was done to a pull request, why in a sentence, and what went wrong on the side."""

    action: Action
    reason: str = ""
    warnings: tuple[str, ...] = ()
    pushed: bool = False


def redraft(hub: Hub, step: Step) -> Done:
    """T2, T5, R3: one commit with the plan's proposal in place of the old one."""
    course, pull = step.course, step.scene.pull
    if course is None or pull.marker is None:
        return Done("unchanged")
    proposal = course.proposal
    refusal = next(refusals(proposal, hub.context, hub.settings), None)
    moved = base_moved(hub, proposal.change_set.files)
    if refusal or moved:
        return Done("skipped", refusal or f"{moved} has changed since the analysis")
    planned = proposal.pull_request
    refused = _replace(hub, pull, planned.commit_message, proposal.change_set.files)
    if refused is not None:
        return Done("skipped", refused.reason)
    handle = ask("read a pull request", lambda: hub.repo.get_pull(pull.number))
    _rewrite(hub, handle, course, pull, pull.marker)
    warnings = decorate(hub, handle, planned.labels, planned.reviewers)
    return Done("updated", step.row.reason, warnings, pushed=True)


def _rewrite(hub: Hub, handle: PullRequest, course: Course, pull: Pull, marker: Marker) -> None:
    """Title and island of the new proposal; what a person wrote stays theirs."""
    proposal = course.proposal
    unit, planned = proposal.change_set, proposal.pull_request
    is_ours = short_hash(handle.title) == marker.title
    known = dict.fromkeys((*marker.aliases, *marker.findings))
    made = replace(
        marker,
        findings=unit.finding_ids,
        aliases=tuple(name for name in known if name not in unit.finding_ids),
        patch=unit.patch_digest,
        evidence=unit.evidence_digest,
        count=len(unit.sessions),
        base=hub.base_sha,
        title=short_hash(planned.title) if is_ours else marker.title,
    )
    parts, news = split(handle.body or ""), split(planned.body)
    body = handle.body or ""
    if parts and news:
        island = with_marker(news[1], render(made))
        before = earlier(parts[1])
        island = with_earlier(island, before) if before else island
        body = parts[0] + island + parts[2]
    title = planned.title if is_ours else handle.title
    if (title, body) != (handle.title, handle.body):
        ask(f"rewrite no.{pull.number}", lambda: handle.edit(title=title, body=body))
    if planned.draft and not handle.draft:
        ask(f"make a draft of no.{pull.number}", handle.convert_to_draft)


def carry(hub: Hub, step: Step) -> Done:
    """T4, T5, T20: the standing proposal on the base of now, by plain code and no other wording."""
    pull, marker = step.scene.pull, step.scene.pull.marker
    if marker is None:
        return Done("unchanged")
    files = tuple(
        file_change(path, text_at(hub, path, hub.tip), new)
        for path, new in sorted(pull.carried.items())
    )
    if not files:
        return _recorded(hub, pull, marker)
    refusal = next(stops(as_change_set(marker, files), hub.context, hub.settings), None)
    if refusal is not None:
        return Done("skipped", refusal)
    told = (patch_digest(files), marker.count)
    handle = ask("read a pull request", lambda: hub.repo.get_pull(pull.number))
    lines = (
        f"Proposed by trace-bot from {counted(marker.count, 'failed session', 'failed sessions')}.",
    )
    message = commit_message(handle.title, lines, marker.unit, marker.findings, told)
    refused = _replace(hub, pull, message, files)
    if refused is not None:
        return Done("skipped", refused.reason)
    made = replace(marker, patch=told[0], base=hub.base_sha)
    _mark(handle, made)
    return Done("updated", step.row.reason, pushed=True)


def _recorded(hub: Hub, pull: Pull, marker: Marker) -> Done:
    handle = ask("read a pull request", lambda: hub.repo.get_pull(pull.number))
    _mark(handle, marker)
    return Done("updated", "an interrupted run is finished")


def _mark(handle: PullRequest, marker: Marker) -> None:
    body = marked(handle.body or "", marker)
    if body is not None and body != handle.body:
        write(handle, body)


def _replace(hub: Hub, pull: Pull, message: str, files: tuple[FileChange, ...]) -> Refused | None:
    """The branch goes from the commit that we looked at to a new one, in one step, or not."""
    if pull.digest == patch_digest(files) and not pull.behind:
        return None
    sha = hub.checkout.commit(Commit(hub.base_sha, message, hub.login, hub.date), files)
    if sha == pull.head:
        return None
    return hub.checkout.push(sha, pull.branch, pull.head, hub.push_url, hub.access)


def marked(body: str, marker: Marker) -> str | None:
    """The body with this marker; None where a person took our part of it away."""
    parts = split(body)
    return None if parts is None else with_island(body, with_marker(parts[1], render(marker)))


def write(handle: PullRequest, body: str) -> None:
    ask(f"update no.{handle.number}", lambda: handle.edit(body=body))
