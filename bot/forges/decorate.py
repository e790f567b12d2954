"""Reviewers, assignees, milestone and labels: no state, so that a refusal is only a warning.

Labels come last. Where one of ours is or ever was on a pull request, its decoration was done,
and what is missing since then was taken off by a person and does not come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import msgspec
from github import UnknownObjectException
from github.PullRequest import PullRequest

from bot.errors import AccessError
from bot.forges.client import Declined, Unclear, ask
from bot.forges.hub import Hub


class Part(msgspec.Struct, frozen=True):
    """One kind of decoration: what is missing, and how it is put on."""

    name: str
    missing: frozenset[str]
    put: Callable[[list[str]], object]


def decorate(
    hub: Hub, pull: PullRequest, labels: tuple[str, ...], reviewers: tuple[str, ...]
) -> tuple[str, ...]:
    """Puts on what was never there. Returns warnings. A draft asks nobody for a review."""
    try:
        if _was_done(pull, labels):
            return ()
    except Declined as refusal:
        return (str(refusal),)
    warnings: list[str] = []
    for part in _parts(hub, pull, labels, () if pull.draft else reviewers):
        if not part.missing:
            continue
        what = f"set {part.name} of no.{pull.number}"
        try:
            ask(what, partial(part.put, sorted(part.missing)))
        except Unclear as failure:
            # Without the labels the next run looks again.
            return (*warnings, str(failure))
        except (AccessError, Declined) as failure:
            warnings.append(str(failure))
    return tuple(warnings)


def labelled(pull: PullRequest, name: str, wanted: bool) -> tuple[str, ...]:
    """Puts one label on or takes it off, where it is not so already. Returns warnings."""
    if wanted is any(label.name == name for label in pull.labels):
        return ()
    deed = pull.add_to_labels if wanted else pull.remove_from_labels
    try:
        ask(f"label no.{pull.number} as {name}", lambda: deed(name))
    except (AccessError, Declined, Unclear) as failure:
        return (str(failure),)
    return ()


def _was_done(pull: PullRequest, labels: tuple[str, ...]) -> bool:
    if any(label.name in labels for label in pull.labels):
        return True
    events = ask("read events", lambda: list(pull.get_issue_events()))
    if not labels:
        return any(event.event in ("review_requested", "assigned") for event in events)
    return any(event.event == "labeled" and event.label.name in labels for event in events)


def _parts(
    hub: Hub, pull: PullRequest, labels: tuple[str, ...], reviewers: tuple[str, ...]
) -> Iterator[Part]:
    names = [name.removeprefix("@") for name in reviewers]
    people = frozenset(n for n in names if "/" not in n and n.lower() != hub.login.lower())
    # GitHub itself asks the teams of CODEOWNERS, which a workflow's token may not.
    wanted = {name.removeprefix("@") for name in hub.settings.publishing.reviewers}
    teams = frozenset(name.split("/")[1] for name in names if "/" in name and name in wanted)
    yield Part(
        "reviewers",
        people - {user.login for user in pull.requested_reviewers},
        lambda missing: pull.create_review_request(reviewers=missing),
    )
    yield Part(
        "team reviewers",
        teams - {team.slug for team in pull.requested_teams},
        lambda missing: pull.create_review_request(team_reviewers=missing),
    )
    yield Part(
        "assignees",
        frozenset(hub.settings.publishing.assignees) - {user.login for user in pull.assignees},
        lambda missing: pull.add_to_assignees(*missing),
    )
    yield Part(
        "the milestone",
        frozenset(filter(None, [hub.settings.publishing.milestone]) if not pull.milestone else ()),
        lambda missing: _plan_for(pull, missing[0]),
    )
    yield Part(
        "labels",
        frozenset(labels) - {label.name for label in pull.labels},
        lambda missing: pull.add_to_labels(*missing),
    )


def _plan_for(pull: PullRequest, title: str) -> None:
    """Puts the open milestone of that title on. Refused as by GitHub where there is none."""
    named = (one for one in pull.base.repo.get_milestones(state="open") if one.title == title)
    milestone = next(named, None)
    if milestone is None:
        missing = "no open milestone has the title that trace-bot.yaml names; make one"
        raise UnknownObjectException(404, {"message": missing})
    pull.as_issue().edit(milestone=milestone)
