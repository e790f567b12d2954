"""Reviews of pull requests and the comments on their lines."""

from __future__ import annotations

from tests.github_fake import pull_views
from tests.github_fake.call import Call, Reply, check_text
from tests.github_fake.ref_moves import record
from tests.github_fake.rest.pulls import NOT_PERMITTED
from tests.github_fake.state import Issue, Problem, Pull, Review, ReviewComment, State

VERDICTS = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


def review(
    state: State, issue: Issue, pull: Pull, login: str, event: str, body: str = ""
) -> Review:
    check_text("PullRequestReview", None, body)
    if login == issue.login and event in ("APPROVE", "REQUEST_CHANGES"):
        word = "approve" if event == "APPROVE" else "request changes on"
        raise Problem(422, "Unprocessable Entity", [f"Can not {word} your own pull request"])
    verdict = VERDICTS.get(event, "PENDING")
    item = Review(state.next_id(), login, verdict, body, pull.head_sha, state.clock.stamp())
    pull.reviews.append(item)
    if login in pull.reviewers:
        pull.reviewers.remove(login)
    record(state, issue, "reviewed", login)
    return item


def comment_line(
    state: State,
    issue: Issue,
    pull: Pull,
    login: str,
    body: str,
    path: str,
    line: int | None,
    commit_id: str | None = None,
    review_id: int | None = None,
) -> ReviewComment:
    check_text("PullRequestReviewComment", None, body)
    item = ReviewComment(
        id=state.next_id(),
        login=login,
        body=body,
        path=path,
        line=line,
        commit_id=commit_id or pull.head_sha,
        created_at=state.clock.stamp(),
        review_id=review_id,
    )
    pull.review_comments.append(item)
    issue.updated_at = item.created_at
    return item


def list_reviews(call: Call) -> Reply:
    issue, pull = call.pull()
    shown = [pull_views.review(call.state, call.repo, issue.number, item) for item in pull.reviews]
    return 200, shown


def create(call: Call) -> Reply:
    issue, pull = call.pull()
    body = call.body or {}
    approves = body.get("event") == "APPROVE"
    if approves and call.actor.endswith("[bot]") and not call.repo.actions_may_open_pulls:
        raise Problem(403, NOT_PERMITTED)
    item = review(call.state, issue, pull, call.actor, body.get("event", ""), body.get("body", ""))
    for comment in body.get("comments", []):
        comment_line(
            call.state,
            issue,
            pull,
            call.actor,
            comment["body"],
            comment["path"],
            comment.get("line"),
            review_id=item.id,
        )
    return 200, pull_views.review(call.state, call.repo, issue.number, item)


def list_comments(call: Call) -> Reply:
    issue, pull = call.pull()
    number = issue.number
    return 200, [
        pull_views.review_comment(call.state, call.repo, number, item)
        for item in pull.review_comments
    ]


def create_comment(call: Call) -> Reply:
    issue, pull = call.pull()
    body = call.body
    item = comment_line(
        call.state,
        issue,
        pull,
        call.actor,
        body["body"],
        body["path"],
        body.get("line"),
        body["commit_id"],
    )
    return 201, pull_views.review_comment(call.state, call.repo, issue.number, item)
