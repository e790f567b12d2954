"""Pull requests through PyGithub: life, refusals, merges, reviews."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from github.Repository import Repository

from tests.github_fake import GitHubFake
from tests.github_fake.clients import (
    BRANCH,
    COMMIT,
    commit_input,
    graphql,
    propose,
    refused,
)


def test_a_proposal_from_branch_to_merge(hub: GitHubFake, repo: Repository) -> None:
    base = repo.get_branch("main").commit.sha
    repo.create_git_ref(f"refs/heads/{BRANCH}", base)
    made = graphql(hub, COMMIT, input=commit_input(hub, BRANCH))["data"]["createCommitOnBranch"]
    assert made["commit"]["signature"] == {"isValid": True}
    pull = repo.create_pull(base="main", head=BRANCH, title="Update", body="x", draft=True)
    assert (pull.draft, pull.head.sha) == (True, made["commit"]["oid"])
    assert pull.mergeable_state == "unknown"
    pull = repo.get_pull(pull.number)
    assert (pull.mergeable, pull.mergeable_state) == (True, "draft")
    pull.mark_ready_for_review()
    pull.add_to_labels("trace-bot", "kb")
    pull.create_review_request(["dev"])
    pull = repo.get_pull(pull.number)
    assert [label.name for label in pull.labels] == ["trace-bot", "kb"]
    assert [user.login for user in pull.requested_reviewers] == ["dev"]
    assert (pull.additions, pull.deletions, pull.changed_files, pull.commits) == (1, 1, 1, 1)
    (file,) = pull.get_files()
    assert "+Ask the desk." in file.patch
    assert file.status == "modified"
    assert [c.sha for c in pull.get_commits()] == [pull.head.sha]
    hub.review(pull.number, "dev", "APPROVE", "good")
    assert [(r.user.login, r.state) for r in pull.get_reviews()] == [("dev", "APPROVED")]
    status = pull.merge(merge_method="squash")
    assert status.merged
    assert hub.read_file("kb/vpn.md") == "# VPN\n\nAsk the desk.\n"
    pull = repo.get_pull(pull.number)
    assert (pull.state, pull.merged, pull.merged_by.login) == ("closed", True, "trace-bot[bot]")
    assert pull.is_merged()
    assert pull.merge_commit_sha == hub.head()
    events = [event.event for event in repo.get_issue(pull.number).get_events()]
    assert events[-2:] == ["merged", "closed"]
    assert "ready_for_review" in events


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"head": "gone"}, "'field': 'head'"),
        ({"base": "gone"}, "'field': 'base'"),
        ({}, "A pull request already exists for acme:"),
        ({"head": "same"}, "No commits between main and same"),
        ({"head": "other", "body": "x" * 65537}, "body is too long (maximum is 65536 characters)"),
        ({"head": "mallory:x"}, "'field': 'head'"),
    ],
)
def test_a_pull_request_refused(
    hub: GitHubFake, repo: Repository, change: dict[str, str], text: str
) -> None:
    propose(hub)
    hub.push_commit("other", {"a": "b"}, "Other", "dev")
    repo.create_git_ref("refs/heads/same", str(hub.head()))
    given: dict[str, Any] = {"base": "main", "head": BRANCH, "title": "t", "body": "b"} | change
    status, data = refused(lambda: repo.create_pull(**given))
    assert status == 422
    assert text in data


def test_pull_requests_are_listed_by_head_state_and_base(hub: GitHubFake, repo: Repository) -> None:
    first, second = propose(hub), propose(hub, "trace-bot/kb/other-00000000")
    hub.close(second, "dev")
    assert [p.number for p in repo.get_pulls(head=f"acme:{BRANCH}")] == [first]
    assert [p.number for p in repo.get_pulls(state="closed")] == [second]
    assert [p.number for p in repo.get_pulls(state="all", head=BRANCH)] == [second, first]
    assert list(repo.get_pulls(base="release")) == []
    assert repo.get_issue(second).raw_data["closed_by"]["login"] == "dev"


def test_editing_a_pull_request(hub: GitHubFake, repo: Repository) -> None:
    pull = repo.get_pull(propose(hub))
    hub.push_commit("release", {"a": "b"}, "Release", "dev")
    hub.clock.advance(hours=1)
    pull.edit(title="New", body="New body", base="release")
    pull.edit(state="closed")
    pull.edit(state="open")
    shown = repo.get_pull(pull.number)
    assert (shown.title, shown.body, shown.base.ref) == ("New", "New body", "release")
    assert shown.state == "open"
    assert hub.issue(pull.number).updated_at > hub.issue(pull.number).created_at
    status, data = refused(lambda: pull.edit(body="x" * 65537))
    assert (status, "too long" in data) == (422, True)
    pull.convert_to_draft()
    assert repo.get_pull(pull.number).draft


@pytest.mark.parametrize("method", ["merge", "squash", "rebase"])
def test_merging(hub: GitHubFake, repo: Repository, method: str) -> None:
    number = propose(hub)
    hub.push_commit(BRANCH, {"kb/new.md": "new\n"}, "Second", "dev")
    hub.push_commit("main", {"other.md": "other\n"}, "Beside", "dev")
    before = hub.head()
    hub.merge(number, "dev", method)
    merged = repo.get_commit("main")
    parents = [parent.sha for parent in merged.parents]
    assert hub.read_file("kb/new.md") == "new\n"
    assert hub.read_file("other.md") == "other\n"
    assert len(parents) == (2 if method == "merge" else 1)
    assert (parents[0] == before) == (method != "rebase")
    assert (
        repo.compare(str(before), "main").ahead_by == {"merge": 3, "squash": 1, "rebase": 2}[method]
    )


def test_what_cannot_be_merged(hub: GitHubFake, repo: Repository) -> None:
    pull = repo.get_pull(propose(hub))
    assert refused(lambda: pull.merge(sha="0" * 40))[0] == 409
    hub.push_commit("main", {"kb/vpn.md": "# VPN\n\nMoved.\n"}, "Clash", "dev")
    assert repo.get_pull(pull.number).mergeable_state == "dirty"
    assert refused(pull.merge)[0] == 405


def test_branches_carry_their_pull_requests(hub: GitHubFake, repo: Repository) -> None:
    gone, pushed, emptied = (propose(hub, f"trace-bot/kb/{n}-00000000", f"{n}\n") for n in "abc")
    hub.delete_branch("trace-bot/kb/a-00000000", "dev")
    repo.get_git_ref("heads/trace-bot/kb/c-00000000").edit(str(hub.head()), force=True)
    repo.get_git_ref("heads/main").edit(str(hub.head("trace-bot/kb/b-00000000")))
    shown = {n: repo.get_pull(n) for n in (gone, pushed, emptied)}
    assert [shown[n].state for n in (gone, pushed, emptied)] == ["closed"] * 3
    assert [shown[n].merged for n in (gone, pushed, emptied)] == [False, True, False]
    assert hub.issue(gone).closed_by == "dev"
    for number, text in ((gone, "deleted"), (pushed, "merged"), (emptied, "no new commits")):
        status, data = refused(partial(shown[number].edit, state="open"))
        assert status == 422
        assert text in data
    assert [file.filename for file in shown[gone].get_files()] == ["kb/vpn.md"]


def test_update_branch_and_somebodys_commits(hub: GitHubFake, repo: Repository) -> None:
    number = propose(hub)
    hub.push_commit("main", {"a": "b"}, "Beside", "dev")
    assert repo.get_pull(number).head.sha == hub.head(BRANCH)
    merged = hub.update_branch(number, "dev")
    pull = repo.get_pull(number)
    assert pull.head.sha == merged
    assert pull.base.sha == hub.head()
    assert [file.filename for file in pull.get_files()] == ["kb/vpn.md"]
    amended = hub.push_commit(BRANCH, {"kb/vpn.md": "x\n"}, "Mine", "dev", amend=True)
    last = list(repo.get_pull(number).get_commits())[-1]
    assert (last.sha, last.author.login, last.commit.message) == (amended, "dev", "Mine")


def test_a_pull_request_from_a_fork(hub: GitHubFake, repo: Repository) -> None:
    hub.fork("mallory")
    hub.push_commit(BRANCH, {"a": "b"}, "Forged", "mallory", repo="mallory/context")
    number = hub.open_pull("mallory", f"mallory:{BRANCH}", "Forged", "<!-- trace-bot:v1 {} -->")
    pull = repo.get_pull(number)
    assert pull.head.repo.id != pull.base.repo.id
    assert pull.user.login == "mallory"
    hub.push_commit(BRANCH, {"a": "c"}, "More", "mallory", repo="mallory/context")
    assert repo.get_pull(number).head.sha == hub.head(BRANCH, repo="mallory/context")
    assert list(repo.get_pulls(head=f"acme:{BRANCH}")) == []


def test_reviewers_and_review_comments(hub: GitHubFake, repo: Repository) -> None:
    pull = repo.get_pull(propose(hub))
    assert refused(lambda: pull.create_review_request(["stranger"]))[0] == 422
    assert refused(lambda: pull.create_review_request(["trace-bot[bot]"]))[0] == 422
    pull.create_review_request(["dev"])
    assert [user.login for user in pull.get_review_requests()[0]] == ["dev"]
    pull.delete_review_request(["dev"])
    assert refused(lambda: pull.create_review(event="APPROVE"))[0] == 422
    commit = repo.get_commit(pull.head.sha)
    pull.create_review_comment("Look", commit, "kb/vpn.md", line=3)
    thread = hub.review_comment(pull.number, "dev", "Why?", "kb/vpn.md", 3)
    assert [c.body for c in pull.get_review_comments()] == ["Look", "Why?"]
    query = """{ repository(owner: "acme", name: "context") { pullRequest(number: 1) {
      reviewThreads(first: 9) { nodes { isResolved comments(first: 1) {
        nodes { author { login } } } } } } } }"""
    thread.resolved = True
    data = graphql(hub, query)["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"]
    assert [node["isResolved"] for node in data] == [False, True]
    logins = [node["comments"]["nodes"][0]["author"]["login"] for node in data]
    assert logins == ["trace-bot", "dev"]
