"""Pull requests: opening, changing, looking into; reviewers."""

from __future__ import annotations

from collections.abc import Sequence

from tests.github_fake import git_views, gitstore, pull_views, views
from tests.github_fake.call import Call, Reply, invalid
from tests.github_fake.ref_moves import check_reopen, keep_head, record
from tests.github_fake.state import Issue, Problem, Pull, Repo, State

from .issues import edit, open_issue

# GitHub's own words; the client tells the setting from a missing permission by them.
NOT_PERMITTED = "GitHub Actions is not permitted to create or approve pull requests."


def open_pull(
    state: State,
    repo: Repo,
    login: str,
    head: str,
    base: str,
    title: str,
    body: str | None = None,
    draft: bool = False,
) -> Issue:
    """Open a pull request; `head` is a branch, or `owner:branch` of a fork."""
    owner, _, branch = head.rpartition(":")
    source = _source(state, repo, owner or repo.owner)
    sha = gitstore.refs(source.git).get(f"refs/heads/{branch}")
    into = gitstore.refs(repo.git).get(f"refs/heads/{base}")
    if sha is None:
        raise invalid("PullRequest", "invalid", "head")
    if into is None:
        raise invalid("PullRequest", "invalid", "base")
    if source is not repo:
        gitstore.git(repo.git, "fetch", "--quiet", str(source.git), sha)
    _check_new(repo, source, branch, base, sha, into)
    half = Pull(source.full_name, branch, base, sha, into, draft)
    issue = open_issue(state, repo, login, title, body, pull=half)
    keep_head(repo, issue.number, sha)
    return issue


def _source(state: State, repo: Repo, owner: str) -> Repo:
    for known in state.repos.values():
        if known.owner.lower() == owner.lower() and (
            known is repo or known.fork_of == repo.full_name
        ):
            return known
    raise invalid("PullRequest", "invalid", "head")


def _check_new(repo: Repo, source: Repo, branch: str, base: str, sha: str, into: str) -> None:
    for issue in repo.issues.values():
        known = issue.pull
        if (
            known
            and issue.state == "open"
            and known.base == base
            and ((known.head_repo, known.head) == (source.full_name, branch))
        ):
            text = f"A pull request already exists for {source.owner}:{branch}."
            raise invalid("PullRequest", "custom", message=text)
    if gitstore.is_ancestor(repo.git, sha, into):
        text = f"No commits between {base} and {branch}"
        raise invalid("PullRequest", "custom", message=text)
    if gitstore.merge_base(repo.git, sha, into) is None:
        text = f"The {branch} branch has no history in common with {base}"
        raise invalid("PullRequest", "custom", message=text)


def change_base(state: State, repo: Repo, issue: Issue, pull: Pull, base: str, login: str) -> None:
    into = gitstore.refs(repo.git).get(f"refs/heads/{base}")
    if into is None:
        raise invalid("PullRequest", "invalid", "base")
    pull.base, pull.base_sha = base, into
    record(state, issue, "base_ref_changed", login)


def set_draft(state: State, issue: Issue, pull: Pull, draft: bool, login: str) -> None:
    if pull.draft != draft:
        pull.draft = draft
        record(state, issue, "convert_to_draft" if draft else "ready_for_review", login)


def range_of(repo: Repo, pull: Pull) -> tuple[str, str]:
    """(where the branch left its base, its head)."""
    fork = gitstore.merge_base(repo.git, pull.base_sha, pull.head_sha)
    return fork or pull.base_sha, pull.head_sha


def list_pulls(call: Call) -> Reply:
    query = call.query
    owner, _, branch = query.get("head", "").rpartition(":")
    found = []
    for issue in call.repo.issues.values():
        pull = issue.pull
        if pull is None or query.get("state", "open") not in ("all", issue.state):
            continue
        # GitHub ignores a head filter without an owner.
        if owner and (pull.head_repo.split("/")[0].lower(), pull.head) != (owner.lower(), branch):
            continue
        if query.get("base", pull.base) == pull.base:
            found.append(issue)
    key = {"updated": "updated_at"}.get(query.get("sort", "created"), "created_at")
    default = "desc" if query.get("sort", "created") == "created" else "asc"
    reverse = query.get("direction", default) == "desc"
    found.sort(key=lambda issue: (getattr(issue, key), issue.number), reverse=reverse)
    return 200, [pull_views.pull(call.state, call.repo, issue) for issue in found]


def create(call: Call) -> Reply:
    body = call.body
    if not call.repo.actions_may_open_pulls and call.actor.endswith("[bot]"):
        raise Problem(403, NOT_PERMITTED)
    if "title" not in body:
        raise invalid("PullRequest", "missing_field", "title")
    issue = open_pull(
        call.state,
        call.repo,
        call.actor,
        body["head"],
        body["base"],
        body["title"],
        body.get("body"),
        body.get("draft", False),
    )
    view = pull_views.full_pull(call.state, call.repo, issue)
    # Whether it merges is worked out later, and told by the next look at it.
    return 201, view | {"mergeable": None, "mergeable_state": "unknown"}


def get(call: Call) -> Reply:
    issue, _ = call.pull()
    return 200, pull_views.full_pull(call.state, call.repo, issue)


def update(call: Call) -> Reply:
    issue, pull = call.pull()
    body = call.body or {}
    if body.get("state") == "open" and issue.state == "closed":
        check_reopen(call.repo, issue)
    if "base" in body and body["base"] != pull.base:
        change_base(call.state, call.repo, issue, pull, body["base"], call.actor)
    kept = {key: body[key] for key in ("title", "body", "state") if key in body}
    edit(call.state, call.repo, issue, call.actor, kept)
    return 200, pull_views.full_pull(call.state, call.repo, issue)


def list_files(call: Call) -> Reply:
    _, pull = call.pull()
    changed = gitstore.changes(call.repo.git, *range_of(call.repo, pull))
    return 200, [
        git_views.file_change(call.state, call.repo, pull.head_sha, item) for item in changed
    ]


def list_commits(call: Call) -> Reply:
    _, pull = call.pull()
    fork, head = range_of(call.repo, pull)
    shas = gitstore.log(call.repo.git, "--reverse", f"{fork}..{head}")
    return 200, [git_views.commit(call.state, call.repo, sha) for sha in shas]


def list_reviewers(call: Call) -> Reply:
    _, pull = call.pull()
    return 200, {"users": [views.user(call.state, name) for name in pull.reviewers], "teams": []}


def _request(call: Call, issue: Issue, pull: Pull, logins: Sequence[str]) -> None:
    if issue.login in logins:
        raise Problem(422, "Review cannot be requested from pull request author.")
    unknown = [name for name in logins if name not in call.repo.permissions]
    if unknown or call.body.get("team_reviewers"):
        raise Problem(
            422,
            "Reviews may only be requested from collaborators. One or more of the users or teams"
            f" you specified is not a collaborator of the {call.repo.full_name} repository.",
        )
    for name in logins:
        if name not in pull.reviewers:
            pull.reviewers.append(name)
            record(call.state, issue, "review_requested", call.actor, reviewer=name)


def request_reviewers(call: Call) -> Reply:
    issue, pull = call.pull()
    _request(call, issue, pull, (call.body or {}).get("reviewers", []))
    return 201, pull_views.pull(call.state, call.repo, issue)


def remove_reviewers(call: Call) -> Reply:
    issue, pull = call.pull()
    for name in call.body["reviewers"]:
        if name in pull.reviewers:
            pull.reviewers.remove(name)
            record(call.state, issue, "review_request_removed", call.actor, reviewer=name)
    return 200, pull_views.pull(call.state, call.repo, issue)
