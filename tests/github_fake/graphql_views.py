"""Records as GraphQL shows them. Fields that cost something are functions, called when asked."""

from __future__ import annotations

from typing import Any

from graphql import GraphQLError

from . import access, gitstore, pull_views, views
from .state import Issue, Pull, Repo, ReviewComment, State

View = dict[str, Any]


def missing(text: str) -> GraphQLError:
    return GraphQLError(text, extensions={"type": "NOT_FOUND"})


def queries(state: State, login: str) -> View:
    """The root of every query by this caller."""

    def repository(info: Any, owner: str, name: str, followRenames: bool = True) -> View:
        full = state.moved.get(f"{owner}/{name}", f"{owner}/{name}")
        repo = access.find_repo(state, *full.split("/"))
        if repo is None or not access.may_read(repo, login):
            text = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise missing(text)
        return repository_view(state, repo)

    def node(info: Any, id: str) -> View:
        return node_view(state, id)

    # The viewer is always a User, and a bot keeps its suffix here alone.
    viewer = actor(state, login) | {"__typename": "User", "login": login}
    return {"viewer": viewer, "repository": repository, "node": node}


def actor(state: State, login: str) -> View:
    """A person or a bot. GraphQL drops the `[bot]` that REST shows in a bot's login."""
    shown = views.user(state, login)
    return {
        "__typename": shown["type"],
        "id": shown["node_id"],
        "databaseId": shown["id"],
        "login": login.removesuffix("[bot]"),
        "url": shown["html_url"],
    }


def node_view(state: State, node_id: str) -> View:
    for repo in state.repos.values():
        if node_id == f"R_{repo.id}":
            return repository_view(state, repo)
        for issue in repo.issues.values():
            if issue.pull and node_id == f"PR_{issue.id}":
                return pull_view(state, repo, issue, issue.pull)
    raise missing(f"Could not resolve to a node with the global id of '{node_id}'")


def find_repo(state: State, node_id: str) -> Repo:
    for repo in state.repos.values():
        if node_id == f"R_{repo.id}":
            return repo
    raise missing(f"Could not resolve to a node with the global id of '{node_id}'")


def find_pull(state: State, node_id: str) -> tuple[Repo, Issue, Pull]:
    for repo in state.repos.values():
        for issue in repo.issues.values():
            if issue.pull and node_id == f"PR_{issue.id}":
                return repo, issue, issue.pull
    raise missing(f"Could not resolve to a node with the global id of '{node_id}'")


def repository_view(state: State, repo: Repo) -> View:
    def ref(info: Any, qualifiedName: str) -> View | None:
        name = qualifiedName if qualifiedName.startswith("refs/") else f"refs/heads/{qualifiedName}"
        sha = gitstore.refs(repo.git, "refs/").get(name)
        return ref_view(state, repo, name, sha) if sha else None

    def git_object(info: Any, oid: str | None = None, expression: str | None = None) -> View | None:
        sha = gitstore.resolve(repo.git, oid or expression or "")
        return commit_view(state, repo, sha) if sha else None

    def pull(info: Any, number: int) -> View:
        issue = repo.issues.get(number)
        if issue is None or issue.pull is None:
            raise missing(f"Could not resolve to a PullRequest with the number of {number}.")
        return pull_view(state, repo, issue, issue.pull)

    shown = views.repo(state, repo)
    return {
        "__typename": "Repository",
        "id": shown["node_id"],
        "databaseId": repo.id,
        "name": repo.name,
        "nameWithOwner": repo.full_name,
        "isArchived": repo.archived,
        "isDisabled": repo.disabled,
        "isPrivate": repo.private,
        "visibility": shown["visibility"].upper(),
        "url": shown["html_url"],
        "defaultBranchRef": lambda info: ref(info, repo.default_branch),
        "ref": ref,
        "object": git_object,
        "pullRequest": pull,
    }


def ref_view(state: State, repo: Repo, name: str, sha: str) -> View:
    prefix = "/".join(name.split("/")[:2]) + "/"
    return {
        "__typename": "Ref",
        "id": f"REF_{name}",
        "name": name.removeprefix(prefix),
        "prefix": prefix,
        "target": commit_view(state, repo, sha),
    }


def commit_view(state: State, repo: Repo, sha: str) -> View:
    commit = gitstore.read_commit(repo.git, sha)
    headline, _, rest = commit.message.partition("\n")
    signed = {"__typename": "GpgSignature", "isValid": True}
    return {
        "__typename": "Commit",
        "id": f"C_{sha}",
        "oid": sha,
        "message": commit.message,
        "messageHeadline": headline,
        "messageBody": rest.strip(),
        "committedDate": commit.committer.date,
        "url": f"{state.base_url}/{repo.full_name}/commit/{sha}",
        "signature": signed if sha in repo.signed else None,
    }


def pull_view(state: State, repo: Repo, issue: Issue, pull: Pull) -> View:
    shown = pull_views.pull(state, repo, issue)
    return {
        "__typename": "PullRequest",
        "id": shown["node_id"],
        "databaseId": shown["id"],
        "number": issue.number,
        "title": issue.title,
        "body": issue.body or "",
        "state": "MERGED" if pull.merged_at else issue.state.upper(),
        "isDraft": pull.draft,
        "merged": pull.merged_at is not None,
        "url": shown["html_url"],
        "author": actor(state, issue.login),
        "headRefName": pull.head,
        "headRefOid": pull.head_sha,
        "baseRefName": pull.base,
        "baseRefOid": pull.base_sha,
        "createdAt": issue.created_at,
        "updatedAt": issue.updated_at,
        "reviewThreads": lambda info, **page: connection(
            [thread_view(state, pull, item) for item in pull.review_comments], page
        ),
    }


def thread_view(state: State, pull: Pull, item: ReviewComment) -> View:
    comment = {
        "__typename": "PullRequestReviewComment",
        "id": f"PRRC_{item.id}",
        "author": actor(state, item.login),
        "body": item.body,
        "createdAt": item.created_at,
        "path": item.path,
    }
    return {
        "__typename": "PullRequestReviewThread",
        "id": f"PRRT_{item.id}",
        "isResolved": item.resolved,
        "isOutdated": item.commit_id != pull.head_sha,
        "path": item.path,
        "line": item.line,
        "comments": lambda info, **page: connection([comment], page),
    }


def connection(items: list[View], page: dict[str, Any]) -> View:
    """One page of a list: `first` items after the cursor `after`, which is a position."""
    if page.get("first") is None and page.get("last") is None:
        raise GraphQLError("You must provide a `first` or `last` value to properly paginate")
    start = int(page.get("after") or 0)
    if page.get("first") is None:
        start = max(0, len(items) - page["last"])
    stop = min(len(items), start + (page.get("first") or page["last"]))
    return {
        "nodes": items[start:stop],
        "totalCount": len(items),
        "pageInfo": {
            "startCursor": str(start),
            "endCursor": str(stop),
            "hasNextPage": stop < len(items),
            "hasPreviousPage": start > 0,
        },
    }
