"""The table of REST calls: what answers each, and which permission a token needs for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .call import Call, Reply
from .rest import (
    comments,
    git_data,
    issues,
    labels,
    merging,
    milestones,
    pulls,
    repos,
    reviews,
    search,
)


class Route(NamedTuple):
    handler: Callable[[Call], Reply]
    scope: str


REPO = "/repos/{owner}/{repo}"
ISSUE = f"{REPO}/issues/{{issue_number}}"
COMMENT = f"{REPO}/issues/comments/{{comment_id}}"
PULL = f"{REPO}/pulls/{{pull_number}}"

ROUTES: dict[tuple[str, str], Route] = {
    ("get", "/rate_limit"): Route(repos.rate_limit, ""),
    ("get", "/user"): Route(repos.me, ""),
    ("get", "/users/{username}"): Route(repos.get_user, ""),
    ("get", "/search/issues"): Route(search.issues, ""),
    ("get", REPO): Route(repos.get, "metadata"),
    ("get", f"{REPO}/branches"): Route(repos.list_branches, "contents"),
    ("get", f"{REPO}/branches/{{branch}}"): Route(repos.get_branch, "contents"),
    ("get", f"{REPO}/collaborators/{{username}}/permission"): Route(repos.permission, "metadata"),
    ("get", f"{REPO}/commits"): Route(repos.list_commits, "contents"),
    ("get", f"{REPO}/commits/{{ref}}"): Route(repos.get_commit, "contents"),
    ("get", f"{REPO}/compare/{{basehead}}"): Route(repos.compare, "contents"),
    ("get", f"{REPO}/contents/{{path}}"): Route(repos.contents, "contents"),
    ("post", f"{REPO}/git/blobs"): Route(git_data.post_blob, "contents"),
    ("get", f"{REPO}/git/blobs/{{file_sha}}"): Route(git_data.get_blob, "contents"),
    ("post", f"{REPO}/git/commits"): Route(git_data.post_commit, "contents"),
    ("get", f"{REPO}/git/commits/{{commit_sha}}"): Route(git_data.get_commit, "contents"),
    ("get", f"{REPO}/git/matching-refs/{{ref}}"): Route(git_data.matching_refs, "contents"),
    ("get", f"{REPO}/git/ref/{{ref}}"): Route(git_data.get_ref, "contents"),
    ("post", f"{REPO}/git/refs"): Route(git_data.post_ref, "contents"),
    ("patch", f"{REPO}/git/refs/{{ref}}"): Route(git_data.patch_ref, "contents"),
    ("delete", f"{REPO}/git/refs/{{ref}}"): Route(git_data.delete_ref, "contents"),
    ("post", f"{REPO}/git/trees"): Route(git_data.post_tree, "contents"),
    ("get", f"{REPO}/git/trees/{{tree_sha}}"): Route(git_data.get_tree, "contents"),
    ("get", f"{REPO}/issues"): Route(issues.list_issues, "issues"),
    ("post", f"{REPO}/issues"): Route(issues.create, "issues"),
    ("get", f"{REPO}/issues/comments"): Route(comments.list_for_repo, "issues"),
    ("get", COMMENT): Route(comments.get, "issues"),
    ("patch", COMMENT): Route(comments.update, "issues"),
    ("delete", COMMENT): Route(comments.delete, "issues"),
    ("get", f"{COMMENT}/reactions"): Route(comments.list_reactions, "issues"),
    ("post", f"{COMMENT}/reactions"): Route(comments.create_reaction, "issues"),
    ("delete", f"{COMMENT}/reactions/{{reaction_id}}"): Route(comments.delete_reaction, "issues"),
    ("get", ISSUE): Route(issues.get, "issues"),
    ("patch", ISSUE): Route(issues.update, "issues"),
    ("post", f"{ISSUE}/assignees"): Route(issues.add_assignees, "issues"),
    ("delete", f"{ISSUE}/assignees"): Route(issues.remove_assignees, "issues"),
    ("get", f"{ISSUE}/comments"): Route(comments.list_for_issue, "issues"),
    ("post", f"{ISSUE}/comments"): Route(comments.create, "issues"),
    ("get", f"{ISSUE}/events"): Route(issues.list_events, "issues"),
    ("get", f"{ISSUE}/labels"): Route(labels.list_for_issue, "issues"),
    ("post", f"{ISSUE}/labels"): Route(labels.add, "issues"),
    ("put", f"{ISSUE}/labels"): Route(labels.replace, "issues"),
    ("delete", f"{ISSUE}/labels"): Route(labels.clear, "issues"),
    ("delete", f"{ISSUE}/labels/{{name}}"): Route(labels.remove, "issues"),
    ("get", f"{REPO}/milestones"): Route(milestones.list_for_repo, "issues"),
    ("get", f"{REPO}/labels"): Route(labels.list_for_repo, "issues"),
    ("post", f"{REPO}/labels"): Route(labels.create, "issues"),
    ("get", f"{REPO}/labels/{{name}}"): Route(labels.get, "issues"),
    ("patch", f"{REPO}/labels/{{name}}"): Route(labels.update, "issues"),
    ("delete", f"{REPO}/labels/{{name}}"): Route(labels.delete, "issues"),
    ("get", f"{REPO}/pulls"): Route(pulls.list_pulls, "pull_requests"),
    ("post", f"{REPO}/pulls"): Route(pulls.create, "pull_requests"),
    ("get", PULL): Route(pulls.get, "pull_requests"),
    ("patch", PULL): Route(pulls.update, "pull_requests"),
    ("get", f"{PULL}/comments"): Route(reviews.list_comments, "pull_requests"),
    ("post", f"{PULL}/comments"): Route(reviews.create_comment, "pull_requests"),
    ("get", f"{PULL}/commits"): Route(pulls.list_commits, "pull_requests"),
    ("get", f"{PULL}/files"): Route(pulls.list_files, "pull_requests"),
    ("get", f"{PULL}/merge"): Route(merging.is_merged, "pull_requests"),
    ("put", f"{PULL}/merge"): Route(merging.create, "contents"),
    ("get", f"{PULL}/requested_reviewers"): Route(pulls.list_reviewers, "pull_requests"),
    ("post", f"{PULL}/requested_reviewers"): Route(pulls.request_reviewers, "pull_requests"),
    ("delete", f"{PULL}/requested_reviewers"): Route(pulls.remove_reviewers, "pull_requests"),
    ("get", f"{PULL}/reviews"): Route(reviews.list_reviews, "pull_requests"),
    ("post", f"{PULL}/reviews"): Route(reviews.create, "pull_requests"),
}
