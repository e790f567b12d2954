"""One pull request of ours looked at closely: every fact that its life depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Literal

import msgspec
from github.IssueEvent import IssueEvent
from github.PullRequest import PullRequest
from github.PullRequestReview import PullRequestReview
from msgspec.structs import replace

from bot.context.diff import patch_digest
from bot.forges.branch import Content, content, text_at
from bot.forges.client import ask
from bot.forges.hub import Hub
from bot.forges.pulls import Ours, is_person
from bot.gates.inputs import Inputs
from bot.gates.path import path as path_gate
from bot.identity.marker import Marker, from_trailers
from bot.identity.names import EXPIRED
from bot.lifecycle.facts import Decided, Pull
from bot.lifecycle.hunks import holds, hunks, reapplied
from bot.records.change import ChangeSet, FileChange
from bot.reports.body import runs, split

HOLD = "trace-bot:hold"
THREADS = """
query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100) { nodes { isResolved comments(first: 1) { nodes {
      author { __typename login } } } } } } }
}"""


class Ground(msgspec.Struct, frozen=True):
    """The files of a pull request as they stand on the base branch now; None where there is no
    such file. `renamed` maps their old names to new ones."""

    texts: Mapping[str, str | None]
    renamed: Mapping[str, str] = {}


def opened(hub: Hub, ours: Ours, decided: Decided, spoken: datetime | None) -> Pull:
    """The facts of an open one; `spoken` is when a person last commented on it."""
    handle = ask("read a pull request", lambda: hub.repo.get_pull(ours.number))
    held = content(hub, handle.head.sha, hub.tip)
    mergeable: bool | None = handle.mergeable  # None until GitHub has worked it out
    events = ask("read events", lambda: list(handle.get_issue_events()))
    reviews = ask("read reviews", lambda: list(handle.get_reviews()))
    seen = [aware(e.created_at) for e in events if is_person(e.actor, hub.logins)]
    seen += [aware(r.submitted_at) for r in reviews if is_person(r.user, hub.logins)]
    facts = replace(
        listed(ours, held),
        head=handle.head.sha,
        touched_at=max([aware(handle.created_at), *seen, *([spoken] if spoken else [])]),
        held=_held(hub, ours, handle, events, decided),
        contested=_approved(hub, reviews) or _discussed(hub, handle),
        behind=held.base != hub.tip,
        spent=_spent(hub, handle, events),
        reopened=any(e.event == "reopened" and is_person(e.actor, hub.logins) for e in events),
    )
    facts = _recorded(hub, facts)
    if held.files is None:
        return replace(facts, conflicts=mergeable is False)
    ground = _ground(hub, held)
    carried = _carried(held.files, ground) if hub.tip == hub.base_sha else {}
    conflicts = mergeable is False or (mergeable is None and facts.behind and not carried)
    return replace(
        facts,
        conflicts=conflicts,
        renamed=bool(ground.renamed),
        carried=carried,
        gone=_gone(hub, held.files, ground),
    )


def _recorded(hub: Hub, facts: Pull) -> Pull:
    """The facts with what the commit says where a run was cut off between its push and its words:
    a commit of ours for this unit tells its patch, and the branch holds exactly that."""
    marker = facts.marker
    if marker is None or facts.digest in (None, marker.patch):
        return facts
    message = ask("read a commit", lambda: hub.repo.get_git_commit(facts.head).message)
    told = from_trailers(message)
    if told is None or (told.unit, told.patch) != (marker.unit, facts.digest):
        return facts
    former = tuple(name for name in marker.findings if name not in told.findings)
    aliases = (*marker.aliases, *former)
    seen = replace(marker, patch=told.patch, findings=told.findings, aliases=aliases)
    return replace(facts, marker=seen, unrecorded=True)


def listed(ours: Ours, held: Content | None) -> Pull:
    """The facts that the list of pull requests shows, and the patch where it was read."""
    handle = ours.handle
    files = (held.files if held else None) or ()
    parts = split(handle.body or "")
    return Pull(
        number=ours.number,
        url=handle.html_url,
        state=ours.state,
        branch=handle.head.ref,
        head=handle.head.sha,
        marker=ours.marker,
        generation=ours.generation,
        opened_at=aware(handle.created_at),
        touched_at=aware(handle.created_at),
        digest=held.digest if held else None,
        paths=held.paths if held else frozenset(),
        hunks=tuple(hunk for file in files for hunk in hunks(file.path, file.diff)),
        witnesses=runs(parts[1]) if parts else {},
    )


def as_change_set(marker: Marker | None, files: tuple[FileChange, ...]) -> ChangeSet:
    """What stands in a branch, in the form that gates take; what only sessions tell is empty."""
    return ChangeSet(
        unit_id=marker.unit if marker else "",
        finding_ids=marker.findings if marker else (),
        kind="",
        operation="UPDATE",
        classification="SYSTEMIC",
        state="draft",
        sessions=(),
        principals=0,
        confidence=0.0,
        files=files,
        patch_digest=patch_digest(files),
    )


def aware(moment: datetime) -> datetime:
    """A time of GitHub's, which is UTC whether or not it says so."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _held(
    hub: Hub, ours: Ours, handle: PullRequest, events: Iterable[IssueEvent], decided: Decided
) -> bool:
    """By the label or a command, by a person who made it a draft, by another base."""
    asked = decided.holds.get(ours.number)
    labelled = any(label.name == HOLD for label in handle.labels)
    if asked or (labelled and asked is None):
        return True
    drafts = [e for e in events if e.event in ("convert_to_draft", "ready_for_review")]
    by_person = bool(drafts) and is_person(drafts[-1].actor, hub.logins)
    if by_person and drafts[-1].event == "convert_to_draft":
        return True
    asleep = [d for finding in ours.findings if (d := decided.snoozed.get(finding)) is not None]
    return handle.base.ref != hub.base_branch or (bool(asleep) and max(asleep) > hub.now)


def _spent(
    hub: Hub, handle: PullRequest, events: Iterable[IssueEvent]
) -> Literal["", "told", "waived"]:
    """Whether its label says that the evidence has expired, or a person took that label off."""
    if any(label.name == EXPIRED for label in handle.labels):
        return "told"
    kinds = ("labeled", "unlabeled")
    about = [e for e in events if e.event in kinds and e.label and e.label.name == EXPIRED]
    return "waived" if about and is_person(about[-1].actor, hub.logins) else ""


def _approved(hub: Hub, reviews: Iterable[PullRequestReview]) -> bool:
    """Whether the last verdict of any person is an approval."""
    verdicts = [r for r in reviews if r.state != "COMMENTED" and is_person(r.user, hub.logins)]
    return "APPROVED" in {r.user.login: r.state for r in verdicts if r.user}.values()


def _discussed(hub: Hub, handle: PullRequest) -> bool:
    """Whether a person talks about its lines in a thread that is not resolved."""
    owner, name = hub.repo.full_name.split("/")
    given = {"owner": owner, "name": name, "number": handle.number}
    _, answer = ask("read reviews", lambda: hub.repo.requester.graphql_query(THREADS, given))
    threads = answer["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"]
    return any(not thread["isResolved"] and _by_person(hub, thread) for thread in threads)


def _by_person(hub: Hub, thread: Mapping[str, Mapping[str, list[Mapping[str, object]]]]) -> bool:
    """Whether a person began a thread; GraphQL shows a bot's login without its `[bot]`."""
    authors = [comment["author"] for comment in thread["comments"]["nodes"]]
    author = authors[0] if authors else None
    if not isinstance(author, Mapping):
        return True
    return author["__typename"] != "Bot" and str(author["login"]).lower() not in hub.logins


def _ground(hub: Hub, held: Content) -> Ground:
    files = held.files or ()
    texts = {file.path: text_at(hub, file.path, hub.tip) for file in files}
    lost = {f.path for f in files if f.operation != "CREATE" and texts[f.path] is None}
    if not lost:
        return Ground(texts)
    compared = ask("compare branches", lambda: list(hub.repo.compare(held.base, hub.tip).files))
    renamed = {f.previous_filename: f.filename for f in compared if f.status == "renamed"}
    found = {old: new for old, new in renamed.items() if old in lost}
    moved = {old: text_at(hub, new, hub.tip) for old, new in found.items()}
    return Ground({**texts, **moved}, found)


def _carried(files: tuple[FileChange, ...], ground: Ground) -> dict[str, str | None]:
    """Each file's text with the change applied to the base of now; empty where one does not fit."""
    made: dict[str, str | None] = {}
    for file in files:
        text = ground.texts[file.path]
        path = ground.renamed.get(file.path, file.path)
        if file.operation == "UPDATE" and text is not None:
            carried = reapplied(text, hunks(file.path, file.diff))
            if carried is None or carried == text:
                return {}
            made[path] = carried
        elif file.operation == "CREATE" and text is None:
            made[path] = file.new_text
        else:
            return {}
    return made


def _gone(hub: Hub, files: tuple[FileChange, ...], ground: Ground) -> str:
    """Why there is nothing left to propose, in a sentence, or nothing (T9)."""
    if files and all(_is_in_base(file, ground.texts[file.path]) for file in files):
        return "The base has this change already."
    for file in files:
        if file.operation != "CREATE" and ground.texts[file.path] is None:
            return "The file that it changes is no longer there."
        if file.path not in ground.renamed and _excluded(hub, file):
            return "trace-bot.yaml no longer allows changes of this file."
    return ""


def _is_in_base(file: FileChange, text: str | None) -> bool:
    if file.operation == "UPDATE" and text is not None:
        return holds(text, hunks(file.path, file.diff))
    return text == file.new_text


def _excluded(hub: Hub, file: FileChange) -> bool:
    """Whether the configuration of now keeps us from the file."""
    if hub.tip != hub.base_sha:
        return False
    alone = as_change_set(None, (file,))
    return path_gate(alone, Inputs(hub.context, hub.settings.limits)).outcome == "blocked"
