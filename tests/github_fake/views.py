"""Records as GitHub shows them: the fields we know; the description fills in the rest."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

from .state import Comment, Event, Issue, Label, Reaction, Repo, State

View = dict[str, Any]


def api(state: State, repo: Repo) -> str:
    return f"{state.base_url}/repos/{repo.full_name}"


def user(state: State, login: str) -> View:
    found = state.user(login)
    return {
        "login": login,
        "id": found.id,
        "node_id": f"U_{found.id}",
        "type": found.type,
        "url": f"{state.base_url}/users/{quote(login)}",
        "html_url": f"{state.base_url}/{quote(login)}",
    }


def maybe_user(state: State, login: str | None) -> View | None:
    return user(state, login) if login else None


def repo(state: State, record: Repo) -> View:
    url = api(state, record)
    html = f"{state.base_url}/{record.full_name}"
    visibility = record.visibility or ("private" if record.private else "public")
    return {
        "id": record.id,
        "node_id": f"R_{record.id}",
        "name": record.name,
        "full_name": record.full_name,
        "owner": user(state, record.owner),
        "default_branch": record.default_branch,
        "private": record.private,
        "visibility": visibility,
        "archived": record.archived,
        "disabled": record.disabled,
        "has_issues": record.has_issues,
        "fork": record.fork_of is not None,
        "created_at": record.created_at,
        "url": url,
        "html_url": html,
        "clone_url": f"{html}.git",
        "delete_branch_on_merge": record.delete_branch_on_merge,
    }


def label(state: State, record: Repo, item: Label) -> View:
    return {
        "id": item.id,
        "node_id": f"LA_{item.id}",
        "name": item.name,
        "color": item.color,
        "description": item.description,
        "default": False,
        "url": f"{api(state, record)}/labels/{quote(item.name)}",
    }


def labels(state: State, record: Repo, issue: Issue) -> list[View]:
    return [label(state, record, record.labels[name.lower()]) for name in issue.labels]


def milestone(state: State, record: Repo, title: str) -> View:
    number = record.milestones.index(title) + 1
    url = f"{api(state, record)}/milestones/{number}"
    return {
        "id": number,
        "node_id": f"MI_{number}",
        "number": number,
        "title": title,
        "description": None,
        "state": "open",
        "creator": None,
        "open_issues": 0,
        "closed_issues": 0,
        "due_on": None,
        "closed_at": None,
        "created_at": record.created_at,
        "updated_at": record.created_at,
        "url": url,
        "html_url": url,
        "labels_url": f"{url}/labels",
    }


def issue(state: State, record: Repo, item: Issue) -> View:
    url = api(state, record)
    html = f"{state.base_url}/{record.full_name}"
    comments = sum(comment.number == item.number for comment in record.comments.values())
    view: View = {
        "id": item.id,
        "node_id": f"I_{item.id}",
        "number": item.number,
        "title": item.title,
        "body": item.body,
        "state": item.state,
        "state_reason": item.state_reason,
        "user": user(state, item.login),
        "labels": labels(state, record, item),
        "assignee": maybe_user(state, next(iter(item.assignees), None)),
        "assignees": [user(state, login) for login in item.assignees],
        "milestone": milestone(state, record, item.milestone) if item.milestone else None,
        "comments": comments,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "closed_at": item.closed_at,
        "author_association": association(record, item.login),
        "url": f"{url}/issues/{item.number}",
        "repository_url": url,
        "comments_url": f"{url}/issues/{item.number}/comments",
        "events_url": f"{url}/issues/{item.number}/events",
        "labels_url": f"{url}/issues/{item.number}/labels{{/name}}",
        "html_url": f"{html}/{'pull' if item.pull else 'issues'}/{item.number}",
    }
    if item.pull:
        pulls = f"{url}/pulls/{item.number}"
        view["pull_request"] = {
            "url": pulls,
            "html_url": view["html_url"],
            "diff_url": f"{view['html_url']}.diff",
            "patch_url": f"{view['html_url']}.patch",
            "merged_at": item.pull.merged_at,
        }
        view["draft"] = item.pull.draft
    return view


def full_issue(state: State, record: Repo, item: Issue) -> View:
    return issue(state, record, item) | {"closed_by": maybe_user(state, item.closed_by)}


def association(record: Repo, login: str) -> str:
    if login == record.owner:
        return "OWNER"
    return "COLLABORATOR" if login in record.permissions else "NONE"


def comment(state: State, record: Repo, item: Comment) -> View:
    counts: View = {
        name: sum(reaction.content == name for reaction in item.reactions)
        for name in ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
    }
    url = f"{api(state, record)}/issues/comments/{item.id}"
    return {
        "id": item.id,
        "node_id": f"IC_{item.id}",
        "body": item.body,
        "user": user(state, item.login),
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "author_association": association(record, item.login),
        "url": url,
        "issue_url": f"{api(state, record)}/issues/{item.number}",
        "html_url": f"{state.base_url}/{record.full_name}/issues/{item.number}"
        f"#issuecomment-{item.id}",
        "reactions": counts | {"url": f"{url}/reactions", "total_count": len(item.reactions)},
    }


def reaction(state: State, item: Reaction) -> View:
    return {
        "id": item.id,
        "node_id": f"REA_{item.id}",
        "user": user(state, item.login),
        "content": item.content,
        "created_at": item.created_at,
    }


def event(state: State, record: Repo, item: Event) -> View:
    view: View = {
        "id": item.id,
        "node_id": f"E_{item.id}",
        "url": f"{api(state, record)}/issues/events/{item.id}",
        "actor": user(state, item.login),
        "event": item.kind,
        "created_at": item.created_at,
        "commit_id": item.commit_id,
        "commit_url": item.commit_id and f"{api(state, record)}/commits/{item.commit_id}",
    }
    if item.label:
        known = record.labels.get(item.label.lower(), Label(0, item.label))
        view["label"] = {"name": known.name, "color": known.color}
    if item.rename:
        view["rename"] = dict(zip(("from", "to"), item.rename, strict=True))
    if item.reviewer:
        view["requested_reviewer"] = user(state, item.reviewer)
        view["review_requester"] = user(state, item.login)
    if item.assignee:
        view["assignee"] = user(state, item.assignee)
        view["assigner"] = user(state, item.login)
    return view


def encoded(content: bytes) -> str:
    """Base64 in lines, as GitHub sends it: a client that forgets the newlines fails here too."""
    return base64.encodebytes(content).decode()
