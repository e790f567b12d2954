"""The fake GitHub as a whole: held to the description, who may do what, scripted trouble."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from github import GithubException
from github.Repository import Repository

from tests.github_fake import Fault, GitHubFake, Problem, description
from tests.github_fake.clients import (
    BRANCH,
    FILES,
    client,
    get,
    propose,
    refused,
)
from tests.github_fake.people import Files
from tests.github_fake.routes import ROUTES


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[GitHubFake]:
    with GitHubFake(tmp_path / "hub") as fake:
        fake.create_repo("acme/context", files=FILES)
        fake.permission("dev", "write")
        yield fake


@pytest.fixture
def repo(hub: GitHubFake) -> Repository:
    return client(hub).get_repo("acme/context")


def test_every_described_call_has_a_handler_and_no_other() -> None:
    described = {(m, path) for path, ms in description.load()["paths"].items() for m in ms}
    assert set(ROUTES) == described


def test_a_call_that_breaks_the_description_is_refused(hub: GitHubFake) -> None:
    assert get(hub, "/repos/acme/context/pulls", stat="open").status_code == 422
    assert get(hub, "/repos/acme/context/pulls", state="merged").status_code == 422
    assert get(hub, "/repos/acme/context/wiki").status_code == 501
    url = f"{hub.base_url}/repos/acme/context/pulls"
    answer = requests.post(url, json={"head": "x"}, auth=("x", "tok-bot"), timeout=10)
    assert answer.status_code == 422
    assert '\\"base\\" is a required property' in answer.text
    assert hub.writes == []


def test_an_answer_that_breaks_the_description_is_no_answer() -> None:
    operation = description.find("GET", "/repos/a/b/git/ref/heads/x/y")
    assert operation is not None
    assert operation.params["ref"] == "heads/x/y"
    assert description.response_problems(operation, 200, {"ref": 1})


def test_tokens_and_their_permissions(hub: GitHubFake, repo: Repository) -> None:
    assert refused(lambda: client(hub, "tok-wrong").get_repo("acme/context"))[0] == 401
    assert client(hub, "tok-dev").get_user().login == "dev"
    assert refused(lambda: client(hub).get_user().login)[0] == 403
    assert get(hub, "/repos/acme/context", token=None).status_code == 404
    hub.tokens["tok-reader"] = "reader"
    hub.permission("reader", "read")
    reader = client(hub, "tok-reader").get_repo("acme/context")
    assert refused(lambda: reader.create_git_ref("refs/heads/x", str(hub.head())))[0] == 403
    hub.read_only("tok-bot")
    status, data = refused(lambda: repo.create_issue("x"))
    assert (status, "Resource not accessible by integration" in data) == (403, True)
    hub.grants["tok-bot"] = {"contents": "read", "pull-requests": "write"}
    number = propose(hub)
    repo.get_issue(number).add_to_labels("kb")
    assert hub.issue(number).labels == ["kb"]
    assert refused(lambda: repo.create_issue("x"))[0] == 403
    permissions = {
        name: repo.get_collaborator_permission(name) for name in ("dev", "reader", "acme")
    }
    assert permissions == {"dev": "write", "reader": "read", "acme": "admin"}
    assert refused(lambda: repo.get_collaborator_permission("nobody"))[0] == 404


def test_states_of_a_repository(hub: GitHubFake, repo: Repository) -> None:
    hub.push_commit(BRANCH, {"a": "b"}, "x", "dev")
    record = hub.repo()
    record.actions_may_open_pulls = False
    status, data = refused(lambda: repo.create_pull(base="main", head=BRANCH, title="t"))
    assert (status, "not permitted to create or approve" in data) == (403, True)
    record.has_issues = False
    assert refused(lambda: repo.create_issue("x"))[0] == 410
    record.archived = True
    assert refused(lambda: repo.create_git_ref("refs/heads/x", str(hub.head())))[0] == 403
    record.disabled = True
    shown = client(hub).get_repo("acme/context")
    assert (shown.archived, shown.raw_data["disabled"], shown.visibility) == (True, True, "private")
    assert refused(lambda: repo.get_branch("main"))[0] == 403


def test_a_renamed_repository_is_found_by_its_old_name(hub: GitHubFake) -> None:
    hub.rename_repo("acme/context", "acme/knowledge")
    assert client(hub).get_repo("acme/context").full_name == "acme/knowledge"


def test_two_publishers_at_once_make_one_pull_request(hub: GitHubFake) -> None:
    hub.push_commit(BRANCH, {"a": "b"}, "x", "trace-bot[bot]")

    def publish(_: int) -> int:
        repo = client(hub).get_repo("acme/context")
        try:
            return repo.create_pull(base="main", head=BRANCH, title="t").number
        except GithubException as refusal:
            return refusal.status

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(publish, range(4))) == [1, 422, 422, 422]


def test_faults_by_place_and_by_match(hub: GitHubFake, repo: Repository) -> None:
    hub.log.clear()
    hub.faults = [
        Fault(index=1, status=403, headers={"Retry-After": "1"}, body={"message": "secondary"}),
        Fault(method="POST", path="/issues$", status=502, after=True),
        Fault(path="/pulls$", drop=True, times=2),
    ]
    repo.get_branch("main")
    assert refused(lambda: repo.get_branch("main"))[0] == 403
    repo.get_branch("main")
    assert refused(lambda: repo.create_issue("Once"))[0] == 502
    assert [issue.title for issue in repo.get_issues()] == ["Once"]
    for _ in range(2):
        with pytest.raises(requests.exceptions.ConnectionError):
            list(repo.get_pulls())
    assert list(repo.get_pulls()) == []
    assert hub.faults == []
    assert hub.writes == [("POST", "/repos/acme/context/issues")]


def test_somebody_acts_between_two_calls(hub: GitHubFake, repo: Repository) -> None:
    pull = repo.get_pull(propose(hub))
    hub.faults.append(Fault(method="PATCH", act=lambda: hub.close(pull.number, "dev")))
    pull.edit(body="new")
    assert pull.state == "closed"
    assert hub.issue(pull.number).body == "new"


def test_a_crash_after_any_call(tmp_path: Path) -> None:
    def job(hub: GitHubFake) -> None:
        repo = client(hub).get_repo("acme/context")
        issue = repo.create_issue("One")
        issue.create_comment("Two")
        issue.add_to_labels("three")

    for calls in range(5):
        with GitHubFake(tmp_path / str(calls)) as hub:
            hub.create_repo("acme/context", files=FILES)
            hub.stop_after = calls
            if calls < 4:
                with pytest.raises(requests.exceptions.ConnectionError):
                    job(hub)
            else:
                job(hub)
            assert len(hub.log) == calls
            assert len(hub.writes) == max(0, calls - 1)
            hub.stop_after = None
            assert get(hub, "/rate_limit").status_code == 200


def test_a_bug_in_the_fake_fails_the_test(tmp_path: Path) -> None:
    def bug() -> None:
        raise KeyError("bug")

    def job() -> None:
        with GitHubFake(tmp_path) as hub:
            hub.faults.append(Fault(act=bug))
            with pytest.raises(requests.exceptions.ConnectionError):
                get(hub, "/rate_limit")

    with pytest.raises(KeyError, match="bug"):
        job()


def test_the_same_acts_give_the_same_commits(tmp_path: Path) -> None:
    heads = []
    for name in ("one", "two"):
        with GitHubFake(tmp_path / name) as hub:
            history: list[tuple[str, Files]] = [("Add", {"a": "b"}), ("Drop", {"a": None})]
            hub.create_repo("acme/context", files=FILES, history=history)
            hub.clock.advance(days=1)
            hub.merge(propose(hub), "dev")
            heads.append(hub.head())
    assert heads[0] == heads[1]


def test_reopening_needs_something_to_merge(hub: GitHubFake) -> None:
    number = propose(hub)
    hub.close(number, "dev")
    hub.reopen(number, "dev")
    assert hub.issue(number).state == "open"
    hub.delete_branch(BRANCH, "dev")
    with pytest.raises(Problem, match="Validation Failed"):
        hub.reopen(number, "dev")


def test_it_runs_by_itself(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "a.md").write_text("a\n")
    command = [
        sys.executable,
        "-m",
        "tests.github_fake",
        "--root",
        str(tmp_path / "hub"),
        "--from",
        str(tmp_path / "from"),
        "--repo",
        "acme/kb",
    ]
    here = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        answer = requests.get(
            f"{url}/repos/acme/kb/contents/a.md", auth=("x", "tok-bot"), timeout=10
        )
        process.send_signal(2)
        assert process.wait(5) == 0
    assert base64.b64decode(answer.json()["content"]) == b"a\n"
