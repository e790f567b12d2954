"""Issues, labels, comments and search through PyGithub."""

from __future__ import annotations

import pytest
import requests
from github.NamedUser import NamedUser
from github.Repository import Repository

from tests.github_fake import GitHubFake
from tests.github_fake.clients import (
    client,
    get,
    propose,
    refused,
)


def test_issues_and_their_filters(hub: GitHubFake, repo: Repository) -> None:
    hub.label(propose(hub), "dev", "kb")
    mine = repo.create_issue("Dashboard", "text", labels=["dash", "kb"], assignees=["dev"])
    other = hub.open_issue("dev", "Broken", labels=["kb"])
    assert [i.number for i in repo.get_issues(labels=["kb", "dash"])] == [mine.number]
    user = client(hub).get_user("dev")
    assert isinstance(user, NamedUser)
    assert [i.number for i in repo.get_issues(creator=user)] == [other]
    assert [bool(i.pull_request) for i in repo.get_issues(labels=["kb"])] == [False, False, True]
    mine.edit(state="closed", body="done", state_reason="not_planned")
    assert [i.number for i in repo.get_issues(state="closed")] == [mine.number]
    assert (repo.get_issue(mine.number).state_reason, mine.assignees[0].login) == (
        "not_planned",
        "dev",
    )
    mine.edit(state="open")
    assert repo.get_issue(mine.number).state_reason == "reopened"
    mine.remove_from_assignees("dev")
    mine.add_to_assignees("dev", "stranger")
    assert [user.login for user in repo.get_issue(mine.number).assignees] == ["dev"]


def test_labels(hub: GitHubFake, repo: Repository) -> None:
    label = repo.create_label("kb", "00ff00", "Knowledge")
    assert refused(lambda: repo.create_label("KB", "00ff00"))[0] == 422
    label.edit("kb-file", "0000ff")
    assert [known.name for known in repo.get_labels()] == ["kb-file"]
    issue = repo.create_issue("x")
    issue.add_to_labels("kb-file", "new one")
    issue.remove_from_labels("new one")
    assert refused(lambda: issue.remove_from_labels("new one"))[0] == 404
    issue.set_labels("a", "b")
    assert [known.name for known in issue.get_labels()] == ["a", "b"]
    url = f"{hub.base_url}/repos/acme/context/issues/{issue.number}/labels"
    for form in ({"labels": ["c"]}, ["d"], {"labels": [{"name": "e"}]}):
        assert requests.post(url, json=form, auth=("x", "tok-bot"), timeout=9).status_code == 200
    assert hub.issue(issue.number).labels == ["a", "b", "c", "d", "e"]
    hub.unlabel(issue.number, "dev", "a")
    event = list(issue.get_events())[-1]
    assert (event.event, event.label.name, event.actor.login) == ("unlabeled", "a", "dev")
    repo.get_label("b").delete()
    issue.set_labels()
    assert hub.issue(issue.number).labels == []
    issue.add_to_labels("z")
    issue.delete_labels()
    assert list(issue.get_labels()) == []


def test_comments_and_reactions(hub: GitHubFake, repo: Repository) -> None:
    issue = repo.create_issue("x")
    comment = hub.comment(issue.number, "dev", "/trace-bot why")
    hub.clock.advance(minutes=5)
    (shown,) = issue.get_comments()
    assert (shown.user.login, shown.user.type, shown.created_at == shown.updated_at) == (
        "dev",
        "User",
        True,
    )
    first, again = shown.create_reaction("eyes"), shown.create_reaction("eyes")
    hub.react(comment, "dev", "eyes")
    assert first.id == again.id
    assert [(r.user.login, r.content) for r in shown.get_reactions()] == [
        ("trace-bot[bot]", "eyes"),
        ("dev", "eyes"),
    ]
    shown.delete_reaction(first.id)
    hub.edit_comment(comment, "/trace-bot ignore")
    (shown,) = issue.get_comments()
    assert shown.updated_at > shown.created_at
    assert shown.body == "/trace-bot ignore"
    mine = issue.create_comment("Done")
    mine.edit("Done.")
    assert mine.user.type == "Bot"
    assert issue.get_comment(mine.id).body == "Done."
    assert [c.body for c in repo.get_issues_comments()] == ["/trace-bot ignore", "Done."]
    mine.delete()
    assert refused(lambda: issue.get_comment(mine.id))[0] == 404
    assert refused(lambda: issue.create_comment("x" * 65537))[0] == 422


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("repo:acme/context is:pr is:open", [1]),
        ("repo:acme/context type:issue", [2]),
        ('"knowledge base" in:title', [2]),
        ("author:app/trace-bot", [1]),
        ("author:dev -label:kb", []),
        ("label:kb", [2]),
        ("head:trace-bot/kb is:unmerged", [1]),
        ("repo:acme/other", []),
        ("created:>=2026-01-05 is:pr", [1]),
        ("updated:<2026-01-05", []),
        ("closed:>2025-01-01", []),
    ],
)
def test_search(hub: GitHubFake, query: str, found: list[int]) -> None:
    propose(hub)
    hub.open_issue("dev", "The knowledge base", labels=["kb"])
    assert [issue.number for issue in client(hub).search_issues(query)] == found


def test_search_lags_and_refuses_what_it_does_not_know(hub: GitHubFake) -> None:
    hub.state.search_delay = 60
    hub.open_issue("dev", "Fresh")
    search = client(hub).search_issues
    assert list(search("Fresh")) == []
    hub.clock.advance(minutes=2)
    assert [issue.title for issue in search("Fresh")] == ["Fresh"]
    assert refused(lambda: list(search("mood:good")))[0] == 422


def test_pages(hub: GitHubFake) -> None:
    for number in range(45):
        hub.open_issue("dev", f"Issue {number}")
    repo = client(hub, per_page=20).get_repo("acme/context")
    assert [issue.number for issue in repo.get_issues(direction="asc")] == list(range(1, 46))
    first = get(hub, "/repos/acme/context/issues")
    assert len(first.json()) == 30
    assert set(first.links) == {"next", "last"}
    assert client(hub).search_issues("Issue").totalCount == 45


def test_an_unchanged_answer_is_not_sent_again(hub: GitHubFake) -> None:
    tag = get(hub, "/repos/acme/context").headers["ETag"]
    url, auth = f"{hub.base_url}/repos/acme/context", ("x", "tok-bot")
    again = requests.get(url, headers={"If-None-Match": tag}, auth=auth, timeout=10)
    assert (again.status_code, again.content) == (304, b"")
