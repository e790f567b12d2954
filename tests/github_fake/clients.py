"""Clients of the fake for tests: PyGithub, GraphQL, plain HTTP and git, as the bot or a person."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests
from github import Auth, Github, GithubException

from tests.github_fake import GitHubFake
from tests.github_fake.gitstore import clean_env

BRANCH = "trace-bot/kb/vpn-0123abcd"
FILES = {"kb/vpn.md": "# VPN\n\nAsk IT.\n", "README.md": "# Context\n"}
COMMIT = """mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) {
  commit { oid signature { isValid } } ref { name target { oid } } } }"""


def client(hub: GitHubFake, token: str = "tok-bot", **options: Any) -> Github:
    return Github(
        base_url=hub.base_url,
        auth=Auth.Token(token),
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
        **options,
    )


def propose(hub: GitHubFake, branch: str = BRANCH, text: str = "Ask the desk.\n") -> int:
    """A pull request of the bot, made behind the client's back."""
    hub.push_commit(branch, {"kb/vpn.md": f"# VPN\n\n{text}"}, "Update", "trace-bot[bot]")
    return hub.open_pull("trace-bot[bot]", branch, "Update kb/vpn.md", "island")


def refused(call: Callable[[], Any]) -> tuple[int, str]:
    """The status and the text of the refusal this call must meet."""
    with pytest.raises(GithubException) as caught:
        call()
    return caught.value.status, str(caught.value.data)


def commit_input(hub: GitHubFake, branch: str, **more: Any) -> dict[str, Any]:
    text = base64.b64encode(b"# VPN\n\nAsk the desk.\n").decode()
    return {
        "branch": {"repositoryNameWithOwner": "acme/context", "branchName": branch},
        "expectedHeadOid": hub.head(branch),
        "message": {"headline": "Update kb/vpn.md", "body": "Trace-Bot-Unit: 0123abcd"},
        "fileChanges": {"additions": [{"path": "kb/vpn.md", "contents": text}]},
    } | more


def graphql(hub: GitHubFake, query: str, token: str = "tok-bot", **variables: Any) -> Any:
    answer = requests.post(
        f"{hub.base_url}/graphql",
        json={"query": query, "variables": variables},
        headers={"Authorization": f"Bearer {token}"},
        timeout=10,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def get(hub: GitHubFake, path: str, token: str | None = "tok-bot", **query: Any) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return requests.get(f"{hub.base_url}{path}", params=query, headers=headers, timeout=10)


def git(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = clean_env() | {"GIT_TERMINAL_PROMPT": "0"}
    who = ["-c", "user.name=dev", "-c", "user.email=dev@users.noreply.github.com"]
    return subprocess.run(
        ["git", *who, *map(str, args)],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
