"""Labels of a repository, and on its issues and pull requests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.github_fake import views
from tests.github_fake.call import Call, Reply, invalid
from tests.github_fake.ref_moves import record
from tests.github_fake.state import Issue, Label, Problem, Repo, State


def define(state: State, repo: Repo, name: str, color: str = "ededed", text: str = "") -> Label:
    if not name.strip() or len(name) > 50:
        raise invalid("Label", "invalid", "name")
    label = Label(state.next_id(), name, color.lower(), text or None)
    repo.labels[name.lower()] = label
    return label


def set_labels(state: State, repo: Repo, issue: Issue, names: Iterable[str], login: str) -> None:
    """Give the issue exactly these labels. An unknown one is made, as GitHub does."""
    wanted = [_known(state, repo, name) for name in names]
    old = set(issue.labels)
    issue.labels = list(dict.fromkeys(wanted))
    for name in issue.labels:
        if name not in old:
            record(state, issue, "labeled", login, label=name)
    for name in sorted(old - set(issue.labels)):
        record(state, issue, "unlabeled", login, label=name)


def _known(state: State, repo: Repo, name: str) -> str:
    label = repo.labels.get(name.lower()) or define(state, repo, name)
    return label.name


def names_in(body: Any) -> list[str]:
    """The names in any of the forms GitHub takes: a list or an object, of names or of objects."""
    items = body.get("labels", []) if isinstance(body, dict) else body or []
    return [item if isinstance(item, str) else item["name"] for item in items]


def list_for_repo(call: Call) -> Reply:
    return 200, [views.label(call.state, call.repo, item) for item in call.repo.labels.values()]


def create(call: Call) -> Reply:
    name = call.body["name"]
    if name.lower() in call.repo.labels:
        raise invalid("Label", "already_exists", "name")
    text = call.body.get("description") or ""
    label = define(call.state, call.repo, name, call.body.get("color", "ededed"), text)
    return 201, views.label(call.state, call.repo, label)


def _label(call: Call) -> Label:
    label = call.repo.labels.get(call.params["name"].lower())
    if label is None:
        raise Problem(404, "Not Found")
    return label


def get(call: Call) -> Reply:
    return 200, views.label(call.state, call.repo, _label(call))


def update(call: Call) -> Reply:
    label, body = _label(call), call.body or {}
    old, label.name = label.name, body.get("new_name", label.name)
    label.color = body.get("color", label.color)
    label.description = body.get("description", label.description)
    call.repo.labels.pop(old.lower())
    call.repo.labels[label.name.lower()] = label
    for issue in call.repo.issues.values():
        issue.labels = [label.name if name == old else name for name in issue.labels]
    return 200, views.label(call.state, call.repo, label)


def delete(call: Call) -> Reply:
    label = _label(call)
    del call.repo.labels[label.name.lower()]
    for issue in call.repo.issues.values():
        issue.labels = [name for name in issue.labels if name != label.name]
    return 204, None


def list_for_issue(call: Call) -> Reply:
    return 200, views.labels(call.state, call.repo, call.issue())


def add(call: Call) -> Reply:
    issue = call.issue()
    names = [*issue.labels, *names_in(call.body)]
    set_labels(call.state, call.repo, issue, names, call.actor)
    return 200, views.labels(call.state, call.repo, issue)


def replace(call: Call) -> Reply:
    issue = call.issue()
    set_labels(call.state, call.repo, issue, names_in(call.body), call.actor)
    return 200, views.labels(call.state, call.repo, issue)


def clear(call: Call) -> Reply:
    set_labels(call.state, call.repo, call.issue(), [], call.actor)
    return 204, None


def remove(call: Call) -> Reply:
    issue, name = call.issue(), call.params["name"].lower()
    kept = [label for label in issue.labels if label.lower() != name]
    if len(kept) == len(issue.labels):
        raise Problem(404, "Label does not exist")
    set_labels(call.state, call.repo, issue, kept, call.actor)
    return 200, views.labels(call.state, call.repo, issue)
