"""One REST call on its way to a handler, and the checks that many handlers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import gitstore
from .state import Issue, Problem, Pull, Repo, State

MAX_BODY = 65536
MAX_TITLE = 256

Reply = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class Call:
    state: State
    login: str | None
    owner_repo: Repo | None
    params: dict[str, str]
    query: dict[str, str]
    body: Any

    @property
    def repo(self) -> Repo:
        if self.owner_repo is None:
            raise Problem(404, "Not Found")
        return self.owner_repo

    @property
    def actor(self) -> str:
        if self.login is None:
            raise Problem(401, "Requires authentication")
        return self.login

    def issue(self) -> Issue:
        """The issue or pull request the path names."""
        number = int(self.params.get("issue_number") or self.params["pull_number"])
        if number not in self.repo.issues:
            raise Problem(404, "Not Found")
        return self.repo.issues[number]

    def pull(self) -> tuple[Issue, Pull]:
        issue = self.issue()
        if issue.pull is None:
            raise Problem(404, "Not Found")
        return issue, issue.pull

    def commit(self, name: str) -> str:
        """The id of a commit the client names by branch, tag or id."""
        sha = gitstore.resolve(self.repo.git, name)
        if sha is None:
            raise Problem(404, "Not Found")
        return sha


def invalid(resource: str, code: str, field: str = "", message: str = "") -> Problem:
    """GitHub's 422 with one reason in `errors`."""
    error = {"resource": resource, "code": code}
    if field:
        error["field"] = field
    if message:
        error["message"] = message
    return Problem(422, "Validation Failed", [error])


def check_text(resource: str, title: str | None, body: str | None) -> None:
    if body is not None and len(body) > MAX_BODY:
        text = f"body is too long (maximum is {MAX_BODY} characters)"
        raise invalid(resource, "custom", "body", text)
    if title is not None and len(title) > MAX_TITLE:
        text = f"title is too long (maximum is {MAX_TITLE} characters)"
        raise invalid(resource, "custom", "title", text)
    if title is not None and not title.strip():
        raise invalid(resource, "missing_field", "title")
