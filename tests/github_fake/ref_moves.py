"""What happens to pull requests when a branch moves or goes, whoever moved it and by what way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import gitstore
from .state import Event, Issue, Problem, Pull, Repo, State


@contextmanager
def moving_refs(state: State, repo: Repo, login: str) -> Iterator[None]:
    """Do anything to the refs of a repository inside; its pull requests follow afterwards."""
    before = gitstore.refs(repo.git)
    yield
    after = gitstore.refs(repo.git)
    moved = {ref for ref in before | after if before.get(ref) != after.get(ref)}
    if not moved:
        return
    for target in state.repos.values():
        if target is repo or target.full_name == repo.fork_of:
            for issue in list(target.issues.values()):
                if issue.pull and issue.state == "open":
                    _follow(state, target, issue, issue.pull, repo, moved, login)


def record(state: State, issue: Issue, kind: str, login: str, **more: str) -> None:
    issue.updated_at = state.clock.stamp()
    event = Event(state.next_id(), kind, login, issue.updated_at)
    for key, value in more.items():
        setattr(event, key, value)
    issue.events.append(event)


def close(state: State, issue: Issue, login: str, reason: str | None = None) -> None:
    issue.state, issue.closed_by, issue.state_reason = "closed", login, reason
    issue.closed_at = state.clock.stamp()
    record(state, issue, "closed", login)


def mark_merged(state: State, repo: Repo, issue: Issue, sha: str, login: str) -> None:
    pull = issue.pull
    if pull is None:
        raise ValueError(f"number {issue.number} is an issue")
    pull.merged_at, pull.merged_by, pull.merge_sha = state.clock.stamp(), login, sha
    record(state, issue, "merged", login, commit_id=sha)
    close(state, issue, login)


def keep_head(repo: Repo, number: int, sha: str) -> None:
    """Keep a pull request's commits alive and reachable after its branch is gone."""
    gitstore.set_ref(repo.git, f"refs/pull/{number}/head", sha)


def _follow(
    state: State, repo: Repo, issue: Issue, pull: Pull, moved_in: Repo, moved: set[str], login: str
) -> None:
    head, base = f"refs/heads/{pull.head}", f"refs/heads/{pull.base}"
    bases = gitstore.refs(repo.git)
    if base not in bases:
        close(state, issue, login)
        return
    if head in moved and moved_in.full_name == pull.head_repo:
        new = gitstore.refs(moved_in.git).get(head)
        if new is None:
            record(state, issue, "head_ref_deleted", login)
            close(state, issue, login)
            return
        _move_head(state, repo, issue, pull, moved_in, new, login)
        pull.base_sha = bases[base]
        if gitstore.is_ancestor(repo.git, new, bases[base]):
            # Nothing left to merge: GitHub closes it, and it cannot be opened again.
            close(state, issue, login)
            return
    pushed = base in moved and moved_in is repo
    if pushed and gitstore.is_ancestor(repo.git, pull.head_sha, bases[base]):
        mark_merged(state, repo, issue, bases[base], login)


def _move_head(
    state: State, repo: Repo, issue: Issue, pull: Pull, source: Repo, new: str, login: str
) -> None:
    if source is not repo:
        gitstore.git(repo.git, "fetch", "--quiet", str(source.git), new)
    forced = not gitstore.is_ancestor(repo.git, pull.head_sha, new)
    pull.head_sha = new
    issue.updated_at = state.clock.stamp()
    keep_head(repo, issue.number, new)
    if forced:
        record(state, issue, "head_ref_force_pushed", login, commit_id=new)


def check_reopen(repo: Repo, issue: Issue) -> None:
    """Refuse to reopen a pull request whose branch is gone, was rewritten or holds nothing new."""
    pull = issue.pull
    if pull is None:
        return
    reason = None
    heads = gitstore.refs(repo.git)
    new = heads.get(f"refs/heads/{pull.head}")
    if pull.merged_at:
        reason = "The pull request has been merged."
    elif pull.head_repo != repo.full_name:
        reason = None
    elif new is None:
        reason = f"The {pull.head} branch has been deleted."
    elif not gitstore.is_ancestor(repo.git, pull.head_sha, new):
        reason = f"The {pull.head} branch was force-pushed or recreated."
    elif gitstore.is_ancestor(repo.git, new, heads[f"refs/heads/{pull.base}"]):
        reason = f"There are no new commits on the {pull.head} branch."
    elif any(
        other.state == "open" and other.pull and other.pull.head == pull.head
        for other in repo.issues.values()
    ):
        reason = f"There is already an open pull request from {pull.head}."
    else:
        pull.head_sha = new
    if reason:
        error = {"resource": "PullRequest", "field": "state", "code": "invalid"}
        text = f"state cannot be changed. {reason}"
        raise Problem(422, "Validation Failed", [error | {"message": text}])
