"""The composite actions, run step by step as GitHub's runner does, with the locked packages."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Protocol

import pytest

from bot import planfile
from bot.bench.checkout import checkout
from bot.context.history import read_history
from bot.context.read import read_repo
from tests.github_fake import GitHubFake
from tests.github_fake.gitstore import clean_env
from tests.proposals import FILES, THRESHOLD, plan_of, session
from tests.sources.fakes import phoenix
from tests.sources.fakes.said import Said
from tests.sources.fakes.server import StoreServer

SCENARIOS = Path(__file__).parents[2] / "fixtures" / "scenarios"


class Job(Protocol):
    def use(
        self, action: str, workspace: Path, environment: dict[str, str] | None = None, **inputs: str
    ) -> dict[str, Any]: ...


def workspace(scenario: str, into: Path) -> Path:
    folder = SCENARIOS / scenario
    checkout(folder / "context", read_history(folder / "history.jsonl"), into)
    # A name with a blank and shell syntax, as a careless person may choose it.
    shutil.copy(folder / "sessions.jsonl", into / "se$(touch pwned) ssions.jsonl")
    return into


def outcomes(result: dict[str, Any]) -> dict[str, str]:
    return {step["name"]: step["outcome"] for step in result["steps"]}


def test_dry_run_reports_and_changes_nothing(job: Job, tmp_path: Path) -> None:
    place = workspace("vendor-invoice", tmp_path / "work")
    result = job.use(
        "trace-bot", place, mode="dry-run", trajectories="se$(touch pwned) ssions.jsonl\n"
    )
    assert result["job"] == "success", result["log"]
    assert outcomes(result)["Read sessions"] == "success"
    assert outcomes(result)["Publish the plan"] == "skipped"
    assert not (place / "pwned").exists()

    report = json.loads((place / "trace-bot-out" / "report.json").read_bytes())
    assert report["change_sets"]
    outputs = result["outputs"]
    assert (outputs["status"], outputs["cost-usd"], outputs["prs-opened"]) == ("ok", "0.0000", "")
    assert int(outputs["findings"]) >= len(report["change_sets"])
    assert "| Unit | Title |" in result["summary"]


def test_analyze_leaves_a_plan(job: Job, tmp_path: Path) -> None:
    place = workspace("kb-stale", tmp_path / "work")
    result = job.use(
        "trace-bot",
        place,
        environment={"GITHUB_REPOSITORY": "acme/context", "GITHUB_REPOSITORY_ID": "7"},
        mode="analyze",
        trajectories="se$(touch pwned) ssions.jsonl",
        plan="my plan.json",
        limit="1",
    )
    assert result["job"] == "success", result["log"]
    assert result["outputs"]["plan-path"] == "my plan.json"
    plan = json.loads((place / "my plan.json").read_bytes())
    assert (plan["repository"], plan["repository_id"]) == ("acme/context", 7)


def test_the_steps_that_read_never_see_the_token(job: Job, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    result = job.use("trace-bot", tmp_path, mode="run", trajectories="none.jsonl", token="")
    assert result["job"] == "failure"
    assert "token" in result["log"]
    read = job.use(
        "trace-bot", tmp_path, mode="dry-run", trajectories="none.jsonl", token="s3cret-token"
    )
    assert "s3cret-token" not in json.dumps(read)


def test_analyze_reads_on_from_the_dashboard_with_a_token_of_its_own(
    job: Job, tmp_path: Path
) -> None:
    place = workspace("kb-stale", tmp_path / "work")
    with (
        GitHubFake(tmp_path / "hub") as hub,
        StoreServer(phoenix.fake([Said(1, "s-1")]), phoenix.HEADERS) as store,
    ):
        hub.create_repo("acme/context", files=FILES)
        hub.tokens["tok-read"] = "trace-bot[bot]"
        hub.read_only("tok-read")
        source = f'sources: {{production: {{type: phoenix, url: "{store.url}"}}}}\n'
        (place / "trace-bot.yaml").write_text(source)
        addresses = {"GITHUB_API_URL": hub.base_url, "GITHUB_SERVER_URL": hub.base_url}
        environment = {
            **addresses,
            **phoenix.ENVIRONMENT,
            "GITHUB_REPOSITORY": "acme/context",
        }
        result = job.use("trace-bot", place, environment, mode="analyze", read_token="tok-read")
        asked = len(hub.log)
        dry = job.use("trace-bot", place, environment, mode="dry-run", read_token="tok-read")
        assert (hub.writes, len(hub.log)) == ([], asked)
    assert result["job"] == dry["job"] == "success", result["log"]
    assert "7 days back: there is no dashboard by trace-bot[bot]" in result["log"]
    assert "tok-read" not in json.dumps([result["outputs"], dry])


def test_a_source_is_taken_by_its_name(job: Job, tmp_path: Path) -> None:
    place = workspace("kb-stale", tmp_path / "work")
    (place / "trace-bot.yaml").write_text(
        "sources: {here: {type: canonical, path: 'se$(touch pwned) ssions.jsonl'}}\n"
    )
    result = job.use("trace-bot", place, mode="dry-run", source="here\n$(touch pwned)\n")
    assert (result["job"], result["steps"][-3]["exit-code"]) == ("failure", 2)
    assert "there is no source '$(touch pwned)'" in result["log"]
    assert job.use("trace-bot", place, mode="dry-run", source="here")["job"] == "success"
    assert not (place / "pwned").exists()


def test_a_wrong_mode_fails_the_job(job: Job, tmp_path: Path) -> None:
    result = job.use("trace-bot", tmp_path, mode="dryrun", trajectories="none.jsonl")
    assert result["job"] == "failure"
    assert "invalid choice: 'dryrun'" in result["log"]


def test_publish_without_a_plan_names_the_file(job: Job, tmp_path: Path) -> None:
    result = job.use("trace-bot", tmp_path, mode="publish", plan="gone.json", token="t")
    assert (result["job"], result["steps"][-2]["exit-code"]) == ("failure", 2)
    assert "gone.json" in result["log"]


def test_publish_opens_a_pull_request_once(job: Job, tmp_path: Path) -> None:
    place = tmp_path / "work"
    with GitHubFake(tmp_path / "hub") as hub:
        hub.create_repo("acme/context", files=FILES)
        hub.permission("dev", "write")
        clone = ("git", "clone", "-q", f"file://{hub.repo().git}", place)
        subprocess.run(clone, env=clean_env(), check=True)
        planfile.write(
            plan_of([session("s1", THRESHOLD)], read_repo(place)), tmp_path / "plan.json"
        )
        environment = {
            "GITHUB_API_URL": hub.base_url,
            "GITHUB_SERVER_URL": hub.base_url,
            "GITHUB_REPOSITORY": "acme/context",
        }
        inputs = {"mode": "publish", "plan": str(tmp_path / "plan.json"), "token": "tok-bot"}

        first = job.use("trace-bot", place, environment, **inputs)
        assert first["job"] == "success", first["log"]
        (pull,) = json.loads(first["outputs"]["prs-json"])
        assert (pull["action"], first["outputs"]["prs-opened"]) == ("opened", "1")
        assert [found.number for found in hub.pulls()] == [pull["number"]]
        assert f"[{pull['number']}]({pull['url']})" in first["summary"]

        done = len(hub.writes)
        again = job.use("trace-bot", place, environment, **inputs)
        assert again["job"] == "success", again["log"]
        assert again["outputs"]["prs-opened"] == "0"
        assert hub.writes[done:] == []
        assert "tok-bot" not in json.dumps([first, again])


@pytest.mark.parametrize(
    ("text", "job_ends"), [("labels: [a]\n", "success"), ("lables: [a]\n", "failure")]
)
def test_validate_marks_the_line(job: Job, tmp_path: Path, text: str, job_ends: str) -> None:
    (tmp_path / "AGENTS.md").write_text("# Rules\n\nAnswer in one sentence.\n")
    (tmp_path / "trace-bot.yaml").write_text(text)
    result = job.use("validate", tmp_path)
    assert result["job"] == job_ends, result["log"]
    assert ("::error file=trace-bot.yaml,line=1" in result["log"]) == (job_ends == "failure")
