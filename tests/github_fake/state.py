"""What the fake remembers: plain records, no behaviour. Git objects and refs live in bare repos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .clock import Clock


class Problem(Exception):
    """A refusal, answered to the client as GitHub's own error body.

    `errors` holds records for most calls, and plain sentences for a few.
    """

    def __init__(
        self, status: int, message: str, errors: Sequence[dict[str, str] | str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors


@dataclass(slots=True)
class User:
    id: int
    login: str

    @property
    def type(self) -> str:
        return "Bot" if self.login.endswith("[bot]") else "User"


@dataclass(slots=True)
class Label:
    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass(slots=True)
class Reaction:
    id: int
    login: str
    content: str
    created_at: str


@dataclass(slots=True)
class Comment:
    id: int
    number: int
    login: str
    body: str
    created_at: str
    updated_at: str
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True)
class Review:
    id: int
    login: str
    state: str
    body: str
    commit_id: str
    submitted_at: str


@dataclass(slots=True)
class ReviewComment:
    id: int
    login: str
    body: str
    path: str
    line: int | None
    commit_id: str
    created_at: str
    review_id: int | None = None
    resolved: bool = False


@dataclass(slots=True)
class Event:
    id: int
    kind: str
    login: str
    created_at: str
    label: str | None = None
    rename: tuple[str, str] | None = None
    commit_id: str | None = None
    reviewer: str | None = None
    assignee: str | None = None


@dataclass(slots=True)
class Pull:
    """The half of an issue that only a pull request has.

    `head_sha` is kept here and not read from the branch: GitHub still shows it when the branch
    is gone. `base_sha` is the base when the head last moved, as on GitHub.
    """

    head_repo: str
    head: str
    base: str
    head_sha: str
    base_sha: str
    draft: bool = False
    merged_at: str | None = None
    merged_by: str | None = None
    merge_sha: str | None = None
    reviewers: list[str] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    review_comments: list[ReviewComment] = field(default_factory=list)


@dataclass(slots=True)
class Issue:
    number: int
    id: int
    title: str
    body: str | None
    login: str
    created_at: str
    updated_at: str
    state: str = "open"
    state_reason: str | None = None
    closed_at: str | None = None
    closed_by: str | None = None
    labels: list[str] = field(default_factory=list)
    assignees: list[str] = field(default_factory=list)
    milestone: str | None = None
    events: list[Event] = field(default_factory=list)
    pull: Pull | None = None


@dataclass(slots=True)
class Repo:
    """One repository and the switches a test may turn."""

    id: int
    owner: str
    name: str
    git: Path
    created_at: str
    default_branch: str = "main"
    private: bool = True
    visibility: str | None = None
    archived: bool = False
    disabled: bool = False
    has_issues: bool = True
    delete_branch_on_merge: bool = False
    actions_may_open_pulls: bool = True
    sign_api_commits: bool = True
    forbidden_refs: list[str] = field(default_factory=list)
    fork_of: str | None = None
    permissions: dict[str, str] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    milestones: list[str] = field(default_factory=list)
    issues: dict[int, Issue] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    signed: set[str] = field(default_factory=set)

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


@dataclass(slots=True)
class State:
    """Everything on this GitHub."""

    clock: Clock
    base_url: str = ""
    repos: dict[str, Repo] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)
    search_delay: float = 0.0
    last_id: int = 1000

    def next_id(self) -> int:
        self.last_id += 1
        return self.last_id

    def user(self, login: str) -> User:
        """The user of this name, made at first sight so that tests need not declare people."""
        if login not in self.users:
            self.users[login] = User(self.next_id(), login)
        return self.users[login]
