"""Our pull requests as GitHub lists them, told from everybody else's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Literal

import msgspec
from github.NamedUser import NamedUser
from github.Organization import Organization
from github.PullRequest import PullRequest
from github.Repository import Repository

from bot.forges.client import ask
from bot.identity.marker import Marker, UnknownVersion, from_trailers, parse
from bot.identity.names import branch_pattern

Listed = Literal["open", "merged", "closed"]


class Ours(msgspec.Struct, frozen=True):
    """A pull request of ours. `marker` is None where a later release wrote it: hands off."""

    number: int
    state: Listed
    generation: int
    marker: Marker | None
    handle: PullRequest

    @property
    def findings(self) -> tuple[str, ...]:
        """What it is about, under present and earlier ids."""
        return (*self.marker.findings, *self.marker.aliases) if self.marker else ()


class Found(msgspec.Struct, frozen=True):
    """Ours, and how many others carry our marker or our branch name without being ours."""

    ours: tuple[Ours, ...]
    foreign: int


def our_pulls(repo: Repository, logins: frozenset[str], prefix: str, since: datetime) -> Found:
    """The open ones, and those closed since then."""
    opened = ask("list pull requests", lambda: list(repo.get_pulls(state="open")))
    closed = ask("list pull requests", lambda: _closed_since(repo, since))
    pattern = branch_pattern(prefix)
    ours: list[Ours] = []
    foreign = 0
    for pull in (*opened, *closed):
        named = pattern.fullmatch(pull.head.ref)
        marked = parse(pull.body or "") is not None
        if named is not None and _is_own(pull, repo, logins):
            ours += _read(pull, repo, int(named["generation"] or 1))
        elif named is not None or marked:
            foreign += 1
    return Found(tuple(ours), foreign)


def is_person(user: NamedUser | Organization | None, logins: frozenset[str]) -> bool:
    """Whether somebody is neither a bot nor ourselves; an account that is gone was a person."""
    if user is None:
        return True
    bot = user.type == "Bot" or user.login.endswith("[bot]")
    return not bot and user.login.lower() not in logins


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


def _read(pull: PullRequest, repo: Repository, generation: int) -> Iterator[Ours]:
    found = parse(pull.body or "")
    if found is None:
        message = ask("read a commit", lambda: repo.get_git_commit(pull.head.sha).message)
        found = from_trailers(message)
    if found is None:
        return
    yield Ours(
        number=pull.number,
        state="open" if pull.state == "open" else "merged" if pull.merged_at else "closed",
        generation=generation,
        marker=None if isinstance(found, UnknownVersion) else found,
        handle=pull,
    )
