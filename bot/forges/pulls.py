"""Our pull requests as GitHub has them, read once a run and told from everybody else's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Literal

import msgspec
from github.NamedUser import NamedUser
from github.PullRequest import PullRequest
from github.Repository import Repository

from bot.forges.client import ask
from bot.identity.marker import Marker, UnknownVersion, from_trailers, parse
from bot.identity.names import branch_pattern

State = Literal["open", "merged", "closed"]


class Ours(msgspec.Struct, frozen=True):
    """A pull request of ours. `marker` is None where a later release wrote it: hands off.

    `paths` are the files it changes, read for open ones only.
    """

    number: int
    url: str
    state: State
    branch: str
    head: str
    base: str
    body: str
    paths: frozenset[str]
    marker: Marker | None
    handle: PullRequest

    def holds(self, findings: frozenset[str]) -> bool:
        """Whether it is about one of these findings, under this or an earlier id."""
        if self.marker is None:
            return False
        return bool(findings & {*self.marker.findings, *self.marker.aliases})


class Found(msgspec.Struct, frozen=True):
    """Ours, and how many others carry our marker or our branch name without being ours."""

    ours: tuple[Ours, ...]
    foreign: int


def our_pulls(repo: Repository, logins: frozenset[str], prefix: str, look_back_days: int) -> Found:
    """The open ones, and those closed within the last days."""
    since = datetime.now(UTC) - timedelta(days=look_back_days)
    opened = ask("list pull requests", lambda: list(repo.get_pulls(state="open")))
    closed = ask("list pull requests", lambda: _closed_since(repo, since))
    pattern = branch_pattern(prefix)
    ours: list[Ours] = []
    foreign = 0
    for pull in (*opened, *closed):
        named = pattern.fullmatch(pull.head.ref) is not None
        marked = parse(pull.body or "") is not None
        if named and _is_own(pull, repo, logins):
            ours += _read(pull, repo)
        elif named or marked:
            foreign += 1
    return Found(tuple(ours), foreign)


def _closed_since(repo: Repository, since: datetime) -> list[PullRequest]:
    pulls = repo.get_pulls(state="closed", sort="updated", direction="desc")
    return list(takewhile(lambda pull: (pull.updated_at or since) >= since, pulls))


def _is_own(pull: PullRequest, repo: Repository, logins: frozenset[str]) -> bool:
    """From this repository (numbers, not names) by one of our logins; never from a fork."""
    source: Repository | None = pull.head.repo  # None once the fork is gone
    author: NamedUser | None = pull.user  # None once the account is gone
    if source is None or author is None:
        return False
    return source.id == repo.id == pull.base.repo.id and author.login.lower() in logins


def _read(pull: PullRequest, repo: Repository) -> Iterator[Ours]:
    found = parse(pull.body or "")
    if found is None:
        message = ask("read a commit", lambda: repo.get_git_commit(pull.head.sha).message)
        found = from_trailers(message)
    if found is None:
        return
    yield Ours(
        number=pull.number,
        url=pull.html_url,
        state="open" if pull.state == "open" else "merged" if pull.merged_at else "closed",
        branch=pull.head.ref,
        head=pull.head.sha,
        base=pull.base.ref,
        body=pull.body or "",
        paths=_paths(pull),
        marker=None if isinstance(found, UnknownVersion) else found,
        handle=pull,
    )


def _paths(pull: PullRequest) -> frozenset[str]:
    if pull.state != "open":
        return frozenset()
    return ask("list changed files", lambda: frozenset(f.filename for f in pull.get_files()))
