"""The GraphQL mutations: commit on a branch, compare-and-swap refs, draft or ready."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLError

from . import access, gitstore
from .graphql_views import commit_view, find_pull, find_repo, pull_view, ref_view
from .ref_moves import moving_refs
from .rest.git_data import check_rules
from .rest.pulls import set_draft
from .state import Repo, State

Input = dict[str, Any]


class Refused(GraphQLError):
    """A mutation GitHub answers with 200, no data, and an error of this type."""

    def __init__(self, kind: str, message: str):
        super().__init__(message, extensions={"type": kind})


@dataclass(frozen=True, slots=True)
class Session:
    state: State
    tokens: access.Tokens
    authorization: str
    login: str

    def check(self, repo: Repo, scope: str) -> None:
        access.check_token(self.tokens, self.authorization, (scope,), True)
        access.check_repo(repo, self.login, (scope,), True)


def create_commit_on_branch(session: Session, given: Input) -> dict[str, Any]:
    state, branch, expected = session.state, given["branch"], given["expectedHeadOid"]
    repo, name = _branch(state, branch)
    session.check(repo, "contents")
    ref = f"refs/heads/{name}"
    check_rules(repo, ref, "update")
    head = gitstore.refs(repo.git).get(ref)
    if head is None:
        raise Refused("NOT_FOUND", f"No ref found for {ref}")
    if head != expected:
        text = f'Expected branch to point to "{expected}" but it did not. Pull and try again.'
        raise Refused("STALE_DATA", text)
    message = given["message"]
    text = f"{message['headline']}\n\n{message.get('body') or ''}".rstrip() + "\n"
    author = gitstore.Ident.of(session.login, state.clock)
    flow = gitstore.Ident("GitHub", "noreply@github.com", state.clock.stamp())
    files = _changes(repo, head, given.get("fileChanges") or {})
    sha = gitstore.commit_files(repo.git, head, files, text, author, flow)
    if repo.sign_api_commits:
        repo.signed.add(sha)
    with moving_refs(state, repo, session.login):
        gitstore.set_ref(repo.git, ref, sha, head)
    return {"commit": commit_view(state, repo, sha), "ref": ref_view(state, repo, ref, sha)}


def _branch(state: State, branch: Input) -> tuple[Repo, str]:
    full, name = branch.get("repositoryNameWithOwner"), branch.get("branchName")
    if not full or not name:
        raise Refused("UNPROCESSABLE", "branch needs repositoryNameWithOwner and branchName")
    repo = access.find_repo(state, *full.split("/", 1))
    if repo is None:
        raise Refused("NOT_FOUND", f"Could not resolve to a Repository with the name '{full}'.")
    return repo, name.removeprefix("refs/heads/")


def _changes(repo: Repo, head: str, given: Input) -> dict[str, bytes | None]:
    files: dict[str, bytes | None] = {}
    for item in given.get("deletions") or []:
        if gitstore.at_path(repo.git, head, item["path"], "blob") is None:
            text = f"A path was requested for deletion which does not exist at `{head}`: {item}"
            raise Refused("UNPROCESSABLE", text)
        files[item["path"]] = None
    for item in given.get("additions") or []:
        try:
            files[item["path"]] = base64.b64decode(item["contents"], validate=True)
        except binascii.Error as error:
            raise Refused("UNPROCESSABLE", "contents is not valid Base64") from error
    return files


def update_refs(session: Session, given: Input) -> dict[str, Any]:
    """Move, make and delete refs, all or none, each only from the value it should have now."""
    repo = find_repo(session.state, given["repositoryId"])
    session.check(repo, "contents")
    known = gitstore.refs(repo.git, "refs/")
    lines = []
    for update in given["refUpdates"]:
        name, new = update["name"], update["afterOid"]
        old, before = known.get(name, gitstore.ZERO), update.get("beforeOid")
        doing = "delete" if new == gitstore.ZERO else "update" if name in known else "create"
        check_rules(repo, name, doing)
        if before is not None and before != old:
            text = f"Expected {name} to point to {before} but it points to {old}."
            raise Refused("STALE_DATA", text)
        if doing == "create" and gitstore.blocked_by(repo.git, name):
            raise Refused("UNPROCESSABLE", f"Could not create {name}")
        if new != gitstore.ZERO and gitstore.resolve(repo.git, new) != new:
            raise Refused("UNPROCESSABLE", f"Object does not exist: {new}")
        if (
            doing == "update"
            and not update.get("force")
            and not gitstore.is_ancestor(repo.git, old, new)
        ):
            raise Refused("UNPROCESSABLE", f"Update to {name} is not a fast forward")
        lines.append(f"update {name} {new} {old}\n")
    with moving_refs(session.state, repo, session.login):
        gitstore.git(repo.git, "update-ref", "--stdin", stdin="".join(lines).encode())
    return {}


def _draft(session: Session, given: Input, draft: bool) -> dict[str, Any]:
    repo, issue, pull = find_pull(session.state, given["pullRequestId"])
    session.check(repo, "pull_requests")
    set_draft(session.state, issue, pull, draft, session.login)
    return {"pullRequest": pull_view(session.state, repo, issue, pull)}


def mark_ready(session: Session, given: Input) -> dict[str, Any]:
    return _draft(session, given, False)


def convert_to_draft(session: Session, given: Input) -> dict[str, Any]:
    return _draft(session, given, True)


MUTATIONS: dict[str, Callable[[Session, Input], dict[str, Any]]] = {
    "createCommitOnBranch": create_commit_on_branch,
    "updateRefs": update_refs,
    "markPullRequestReadyForReview": mark_ready,
    "convertPullRequestToDraft": convert_to_draft,
}
