"""Git data through PyGithub, and git itself over smart HTTP."""

from __future__ import annotations

import base64
import gzip
import os
from pathlib import Path

import requests
from github import InputGitTreeElement
from github.Repository import Repository

from tests.github_fake import GitHubFake
from tests.github_fake.clients import (
    BRANCH,
    git,
    propose,
    refused,
)


def test_objects_made_by_calls_are_real(hub: GitHubFake, repo: Repository) -> None:
    base = repo.get_git_commit(str(hub.head()))
    blob = repo.create_git_blob(base64.b64encode(b"\x00\xff").decode(), "base64")
    tree = repo.create_git_tree(
        [
            InputGitTreeElement("bin/x", "100644", "blob", sha=blob.sha),
            InputGitTreeElement("a.md", "100644", "blob", content="a\n"),
            InputGitTreeElement("README.md", "100644", "blob", sha=None),
        ],
        base.tree,
    )
    commit = repo.create_git_commit("Message\n\nTrailer: x", tree, [base])
    assert commit.verification.verified
    repo.create_git_ref(f"refs/heads/{BRANCH}", commit.sha)
    files = {e.path for e in repo.get_git_tree(BRANCH, recursive=True).tree if e.type == "blob"}
    assert files == {"bin/x", "a.md", "kb/vpn.md"}
    assert base64.b64decode(repo.get_git_blob(blob.sha).content) == b"\x00\xff"
    compared = repo.compare("main", BRANCH)
    assert (compared.status, compared.ahead_by, compared.behind_by) == ("ahead", 1, 0)
    changes = {file.filename: file.status for file in compared.files}
    assert changes == {"README.md": "removed", "a.md": "added", "bin/x": "added"}
    assert repo.get_contents("a.md", ref=BRANCH).decoded_content == b"a\n"  # type: ignore[union-attr]
    assert {e.path for e in repo.get_contents("", ref=BRANCH)} == {"a.md", "bin", "kb"}  # type: ignore[union-attr]
    assert refused(lambda: repo.get_contents("README.md", ref=BRANCH))[0] == 404
    assert [c.sha for c in repo.get_commits(sha=BRANCH)] == [commit.sha, base.sha]
    assert [c.sha for c in repo.get_commits(path="kb/vpn.md")] == [base.sha]
    assert repo.get_commit(BRANCH).stats.total == 2
    assert {branch.name for branch in repo.get_branches()} == {"main", BRANCH}


def test_refs(hub: GitHubFake, repo: Repository) -> None:
    old = str(hub.head())
    new = hub.push_commit("main", {"a": "b"}, "Second", "dev")
    ref = repo.create_git_ref(f"refs/heads/{BRANCH}", new)
    status, data = refused(lambda: repo.create_git_ref(f"refs/heads/{BRANCH}", old))
    assert (status, "Reference already exists" in data) == (422, True)
    assert refused(lambda: repo.create_git_ref(f"refs/heads/{BRANCH}/x", old))[0] == 422
    assert refused(lambda: repo.create_git_ref("refs/heads/x..y", old))[0] == 422
    assert refused(lambda: repo.create_git_ref("refs/heads/x", "1" * 40))[0] == 422
    status, data = refused(lambda: ref.edit(old))
    assert (status, "not a fast forward" in data) == (422, True)
    ref.edit(old, force=True)
    assert repo.get_git_ref(f"heads/{BRANCH}").object.sha == old == hub.head(BRANCH)
    found = [r.ref for r in repo.get_git_matching_refs("heads/trace-bot/")]
    assert found == [f"refs/heads/{BRANCH}"]
    ref.delete()
    assert refused(lambda: repo.get_git_ref(f"heads/{BRANCH}"))[0] == 404
    assert refused(lambda: repo.get_branch(BRANCH))[0] == 404
    hub.repo().forbidden_refs.append("refs/heads/trace-bot/*")
    status, data = refused(lambda: repo.create_git_ref(f"refs/heads/{BRANCH}", new))
    assert (status, "rule violations" in data) == (422, True)


def test_clone_and_push(hub: GitHubFake, tmp_path: Path) -> None:
    number = propose(hub)
    work = tmp_path / "work"
    assert git("clone", "-q", "-b", BRANCH, hub.clone_url(token="tok-dev"), work).returncode == 0
    (work / "big.bin").write_bytes(os.urandom(1_500_000))
    git("add", ".", cwd=work)
    git("commit", "-qm", "Mine", cwd=work)
    done = git("push", "-q", cwd=work)
    assert done.returncode == 0, done.stderr
    assert hub.pull(number).head_sha == hub.head(BRANCH)
    push = ("POST", "/acme/context.git/git-receive-pack")
    assert hub.writes == [push]
    hub.push_commit(BRANCH, {"a": "b"}, "Beside", "trace-bot[bot]")
    git("commit", "-q", "--amend", "-m", "Other", cwd=work)
    lease = git("push", "-q", "--force-with-lease", cwd=work)
    assert lease.returncode != 0
    assert "stale info" in lease.stderr
    assert hub.writes == [push]
    assert git("push", "-q", "origin", f":{BRANCH}", cwd=work).returncode == 0
    assert hub.issue(number).state == "closed"
    assert hub.issue(number).closed_by == "dev"


def test_git_refuses_who_may_not(hub: GitHubFake, tmp_path: Path) -> None:
    assert git("ls-remote", hub.clone_url()).returncode != 0
    assert git("ls-remote", hub.clone_url(token="tok-wrong")).returncode != 0
    work = tmp_path / "work"
    assert git("clone", "-q", hub.clone_url(token="tok-bot"), work).returncode == 0
    hub.read_only("tok-bot")
    assert git("push", "-q", "origin", "main:other", cwd=work).returncode != 0
    hub.repo().private = False
    assert git("ls-remote", hub.clone_url()).returncode == 0
    assert hub.branches().keys() == {"main"}
    assert hub.writes == []


def test_git_bodies_may_be_packed(hub: GitHubFake) -> None:
    command = b"0014command=ls-refs\n00010014ref-prefix refs/0000"
    answer = requests.post(
        f"{hub.clone_url()}/git-upload-pack",
        data=gzip.compress(command),
        headers={
            "Content-Encoding": "gzip",
            "Content-Type": "application/x-git-upload-pack-request",
            "Git-Protocol": "version=2",
        },
        auth=("x", "tok-bot"),
        timeout=10,
    )
    assert f"{hub.head()} refs/heads/main" in answer.text
