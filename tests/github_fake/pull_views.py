"""Pull requests and their reviews as the REST interface shows them."""

from __future__ import annotations

from . import gitstore
from .state import Issue, Repo, Review, ReviewComment, State
from .views import View, api, association, issue, maybe_user, repo, user


def pull(state: State, record: Repo, item: Issue) -> View:
    half = item.pull
    if half is None:
        raise ValueError(f"number {item.number} is an issue")
    url = f"{api(state, record)}/pulls/{item.number}"
    view = issue(state, record, item)
    for key in (
        "comments",
        "pull_request",
        "state_reason",
        "repository_url",
        "events_url",
        "labels_url",
    ):
        view.pop(key)
    head_owner = half.head_repo.split("/")[0]
    view |= {
        "id": item.id + 1_000_000,
        "node_id": f"PR_{item.id}",
        "url": url,
        "issue_url": f"{api(state, record)}/issues/{item.number}",
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "draft": half.draft,
        "merged_at": half.merged_at,
        "merge_commit_sha": half.merge_sha,
        "requested_reviewers": [user(state, login) for login in half.reviewers],
        "requested_teams": [],
        "head": _end(state, half.head_repo, head_owner, half.head, half.head_sha),
        "base": _end(state, record.full_name, record.owner, half.base, half.base_sha),
    }
    view["_links"] = {
        "self": {"href": url},
        "html": {"href": view["html_url"]},
        "issue": {"href": view["issue_url"]},
        "comments": {"href": view["comments_url"]},
        "review_comments": {"href": view["review_comments_url"]},
        "review_comment": {"href": f"{api(state, record)}/pulls/comments{{/number}}"},
        "commits": {"href": view["commits_url"]},
        "statuses": {"href": f"{api(state, record)}/statuses/{half.head_sha}"},
    }
    return view


def _end(state: State, full_name: str, owner: str, ref: str, sha: str) -> View:
    found = state.repos.get(full_name)
    return {
        "ref": ref,
        "sha": sha,
        "label": f"{owner}:{ref}",
        "user": user(state, owner),
        "repo": repo(state, found) if found else None,
    }


def full_pull(state: State, record: Repo, item: Issue) -> View:
    """A single pull request also tells what a merge would do and how big it is."""
    view, half = pull(state, record, item), item.pull
    if half is None:
        raise ValueError(f"number {item.number} is an issue")
    fork = gitstore.merge_base(record.git, half.base_sha, half.head_sha) or half.base_sha
    files = gitstore.changes(record.git, fork, half.head_sha)
    base = gitstore.refs(record.git).get(f"refs/heads/{half.base}", half.base_sha)
    clean = gitstore.merged_tree(record.git, base, half.head_sha) is not None
    merged = half.merged_at is not None
    state_now = "draft" if half.draft and clean else "clean" if clean else "dirty"
    return view | {
        "merged": merged,
        "merged_by": maybe_user(state, half.merged_by),
        "mergeable": None if item.state == "closed" else clean,
        "mergeable_state": "unknown" if item.state == "closed" else state_now,
        "comments": issue(state, record, item)["comments"],
        "review_comments": len(half.review_comments),
        "commits": len(gitstore.log(record.git, f"{half.base_sha}..{half.head_sha}")),
        "additions": sum(file.count("+") for file in files),
        "deletions": sum(file.count("-") for file in files),
        "changed_files": len(files),
    }


def review(state: State, record: Repo, number: int, item: Review) -> View:
    url = f"{api(state, record)}/pulls/{number}"
    html = f"{state.base_url}/{record.full_name}/pull/{number}"
    return {
        "id": item.id,
        "node_id": f"PRR_{item.id}",
        "user": user(state, item.login),
        "body": item.body,
        "state": item.state,
        "commit_id": item.commit_id,
        "submitted_at": item.submitted_at,
        "author_association": association(record, item.login),
        "html_url": f"{html}#pullrequestreview-{item.id}",
        "pull_request_url": url,
        "_links": {"html": {"href": html}, "pull_request": {"href": url}},
    }


def review_comment(state: State, record: Repo, number: int, item: ReviewComment) -> View:
    url = f"{api(state, record)}/pulls/{number}"
    html = f"{state.base_url}/{record.full_name}/pull/{number}#discussion_r{item.id}"
    own = f"{api(state, record)}/pulls/comments/{item.id}"
    return {
        "id": item.id,
        "node_id": f"PRRC_{item.id}",
        "user": user(state, item.login),
        "body": item.body,
        "path": item.path,
        "line": item.line,
        "commit_id": item.commit_id,
        "original_commit_id": item.commit_id,
        "pull_request_review_id": item.review_id,
        "created_at": item.created_at,
        "updated_at": item.created_at,
        "author_association": association(record, item.login),
        "url": own,
        "html_url": html,
        "pull_request_url": url,
        "_links": {
            "self": {"href": own},
            "html": {"href": html},
            "pull_request": {"href": url},
        },
    }
