"""GraphQL mutations and queries."""

from __future__ import annotations

import re
from typing import Any

import requests
from github.Repository import Repository

from tests.github_fake import GitHubFake
from tests.github_fake.clients import (
    BRANCH,
    COMMIT,
    commit_input,
    graphql,
    propose,
)
from tests.github_fake.gitstore import ZERO


def test_a_commit_only_on_the_expected_head(hub: GitHubFake, repo: Repository) -> None:
    given = commit_input(hub, "main")
    moved = hub.push_commit("main", {"a": "b"}, "Beside", "dev")
    answer = graphql(hub, COMMIT, input=given)
    (error,) = answer["errors"]
    assert error["type"] == "STALE_DATA"
    assert error["path"] == ["createCommitOnBranch"]
    assert re.match('Expected branch to point to "[0-9a-f]{40}" but it did not', error["message"])
    assert answer["data"] == {"createCommitOnBranch": None}
    assert hub.writes == []
    assert hub.head() == moved
    changes = {"deletions": [{"path": "a"}, {"path": "README.md"}]}
    given = commit_input(hub, "main", fileChanges=changes)
    data = repo.requester.graphql_named_mutation("createCommitOnBranch", given, "commit { oid }")
    assert data[1]["commit"]["oid"] == hub.head()
    assert hub.read_file("a") is None
    assert hub.read_file("kb/vpn.md") is not None
    assert hub.writes == [("POST", "/graphql#createCommitOnBranch")]


def test_refs_by_compare_and_swap(hub: GitHubFake) -> None:
    query = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }"
    number, old = propose(hub), hub.head(BRANCH)
    new = hub.push_commit("trace-bot/tmp/1", {"kb/vpn.md": "new\n"}, "New", "trace-bot[bot]")
    node = graphql(hub, '{ repository(owner: "acme", name: "context") { id } }')
    move = {"name": f"refs/heads/{BRANCH}", "afterOid": new, "force": True}
    drop = {"name": "refs/heads/trace-bot/tmp/1", "afterOid": ZERO, "beforeOid": new}
    given = {"repositoryId": node["data"]["repository"]["id"]}

    def update(*updates: dict[str, Any]) -> Any:
        return graphql(hub, query, input=given | {"refUpdates": list(updates)})

    assert update(drop, move | {"beforeOid": new})["errors"][0]["type"] == "STALE_DATA"
    assert update(move | {"beforeOid": old, "force": False})["errors"]
    assert hub.head("trace-bot/tmp/1") == new
    assert hub.head(BRANCH) == old
    assert "errors" not in update(drop, move | {"beforeOid": old})
    assert hub.branches() == {"main": hub.head(), BRANCH: new}
    assert hub.pull(number).head_sha == new
    assert hub.issue(number).state == "open"


def test_graphql_refuses_as_github_does(hub: GitHubFake) -> None:
    assert graphql(hub, "{ viewer { login } }")["data"] == {"viewer": {"login": "trace-bot[bot]"}}
    assert "errors" in graphql(hub, "{ viewer { shoeSize } }")
    assert "errors" in graphql(hub, "{ viewer {")
    missing = graphql(hub, '{ repository(owner: "acme", name: "x") { id } }')
    assert missing["errors"][0]["type"] == "NOT_FOUND"
    hub.read_only("tok-bot")
    answer = graphql(hub, COMMIT, input=commit_input(hub, "main"))
    assert answer["errors"][0]["type"] == "FORBIDDEN"
    assert (
        requests.post(f"{hub.base_url}/graphql", json={"query": "{}"}, timeout=9).status_code == 401
    )
