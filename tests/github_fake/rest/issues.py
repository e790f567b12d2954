"""Issues, and what pull requests share with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.github_fake import views
from tests.github_fake.call import Call, Reply, check_text
from tests.github_fake.ref_moves import check_reopen, close, record
from tests.github_fake.state import Issue, Problem, Pull, Repo, State

from .labels import names_in, set_labels


def open_issue(
    state: State,
    repo: Repo,
    login: str,
    title: str,
    body: str | None,
    labels: Sequence[str] = (),
    pull: Pull | None = None,
) -> Issue:
    check_text("PullRequest" if pull else "Issue", title, body)
    now, number = state.clock.stamp(), len(repo.issues) + 1
    issue = Issue(number, state.next_id(), title, body, login, now, now, pull=pull)
    repo.issues[number] = issue
    if labels:
        set_labels(state, repo, issue, labels, login)
    return issue


def edit(state: State, repo: Repo, issue: Issue, login: str, changes: Mapping[str, Any]) -> None:
    """Apply a PATCH to an issue, or to the issue half of a pull request."""
    title = changes.get("title")
    title = None if title is None else str(title)
    check_text("PullRequest" if issue.pull else "Issue", title, changes.get("body"))
    if title is not None and title != issue.title:
        record(state, issue, "renamed", login)
        issue.events[-1].rename = (issue.title, title)
        issue.title = title
    if "body" in changes:
        issue.body = changes["body"]
    if changes.get("labels") is not None:
        set_labels(state, repo, issue, names_in(changes), login)
    if changes.get("milestone") is not None:
        issue.milestone = repo.milestones[changes["milestone"] - 1]
    if changes.get("assignees") is not None:
        assign(state, issue, changes["assignees"], login)
    if changes.get("state", issue.state) != issue.state:
        if changes["state"] == "closed":
            close(state, issue, login, None if issue.pull else _reason(changes))
        else:
            reopen(state, issue, login)
    issue.updated_at = state.clock.stamp()


def _reason(changes: Mapping[str, Any]) -> str:
    return changes.get("state_reason") or "completed"


def reopen(state: State, issue: Issue, login: str) -> None:
    issue.state, issue.closed_at, issue.closed_by = "open", None, None
    issue.state_reason = None if issue.pull else "reopened"
    record(state, issue, "reopened", login)


def assign(state: State, issue: Issue, logins: Sequence[str], login: str) -> None:
    old, issue.assignees = issue.assignees, list(dict.fromkeys(logins))
    for name in issue.assignees:
        if name not in old:
            record(state, issue, "assigned", login, assignee=name)
    for name in old:
        if name not in issue.assignees:
            record(state, issue, "unassigned", login, assignee=name)


def _may_change(call: Call, issue: Issue) -> None:
    allowed = call.repo.permissions.get(call.actor) in ("triage", "write", "maintain", "admin")
    if call.actor != issue.login and not allowed and not call.actor.endswith("[bot]"):
        raise Problem(403, "Resource not accessible by personal access token")


def _enabled(call: Call) -> None:
    if not call.repo.has_issues:
        raise Problem(410, "Issues has been disabled in this repository.")


def selected(call: Call) -> list[Issue]:
    """The issues a list call asks for, in its order."""
    query = call.query
    wanted = {name.lower() for name in query.get("labels", "").split(",") if name}
    assignee = query.get("assignee")
    found = [
        issue
        for issue in call.repo.issues.values()
        if query.get("state", "open") in ("all", issue.state)
        and wanted <= {name.lower() for name in issue.labels}
        and query.get("creator", issue.login).lower() == issue.login.lower()
        and issue.updated_at >= query.get("since", "")
        and (assignee in (None, "*", "none") or assignee in issue.assignees)
    ]
    key = {"updated": "updated_at"}.get(query.get("sort", "created"), "created_at")
    reverse = query.get("direction", "desc") == "desc"
    return sorted(found, key=lambda i: (getattr(i, key), i.number), reverse=reverse)


def list_issues(call: Call) -> Reply:
    _enabled(call)
    return 200, [views.issue(call.state, call.repo, issue) for issue in selected(call)]


def create(call: Call) -> Reply:
    _enabled(call)
    body = call.body
    issue = open_issue(
        call.state, call.repo, call.actor, str(body["title"]), body.get("body"), names_in(body)
    )
    assign(call.state, issue, body.get("assignees") or [], call.actor)
    return 201, views.full_issue(call.state, call.repo, issue)


def get(call: Call) -> Reply:
    return 200, views.full_issue(call.state, call.repo, call.issue())


def update(call: Call) -> Reply:
    issue, body = call.issue(), call.body or {}
    _may_change(call, issue)
    if body.get("state") == "open" and issue.state == "closed":
        check_reopen(call.repo, issue)
    edit(call.state, call.repo, issue, call.actor, body)
    return 200, views.full_issue(call.state, call.repo, issue)


def add_assignees(call: Call) -> Reply:
    issue = call.issue()
    # GitHub drops silently whoever cannot be assigned.
    known = [name for name in call.body.get("assignees", []) if name in call.repo.permissions]
    assign(call.state, issue, [*issue.assignees, *known], call.actor)
    return 201, views.full_issue(call.state, call.repo, issue)


def remove_assignees(call: Call) -> Reply:
    issue = call.issue()
    kept = [name for name in issue.assignees if name not in call.body["assignees"]]
    assign(call.state, issue, kept, call.actor)
    return 200, views.full_issue(call.state, call.repo, issue)


def list_events(call: Call) -> Reply:
    events = call.issue().events
    return 200, [views.event(call.state, call.repo, event) for event in events]
