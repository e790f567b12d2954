"""Against a real MLflow, filled by its own client and by OTLP."""

from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.opened import opened
from bot.sources.otlp import convert
from context_repo_schema.config import Source
from tests.live.sample import SAMPLE, sample_spans, told
from tests.live.servers import QUIET, free_port, program, running
from tests.sources.otlp_rows import protobuf, request

pytestmark = pytest.mark.live

SEED = Path(__file__).with_name("seed_mlflow.py")
TELEMETRY = {"MLFLOW_DISABLE_TELEMETRY": "true"}


class MLflow:
    """A running server: what is sent to it, and what comes out of it again."""

    def __init__(self, url: str) -> None:
        self.url = url

    def seed(self, experiment: str, *rows: dict[str, Any]) -> None:
        subprocess.run(
            (program("python"), str(SEED), self.url, experiment),
            input=json.dumps(rows).encode(),
            env={"PATH": os.environ["PATH"], **QUIET, **TELEMETRY},
            check=True,
            capture_output=True,
            timeout=120,
        )

    def post(self, path: str, body: bytes, headers: dict[str, str]) -> Any:
        sent = urllib.request.Request(f"{self.url}{path}", body, headers)
        with urllib.request.urlopen(sent) as answer:
            return json.loads(answer.read() or b"{}")

    def pull(
        self, experiment: str, since: datetime | None = None, **asked: Any
    ) -> list[Trajectory | Skipped]:
        source = Source("mlflow", url=self.url, project=experiment, **asked)
        return list(opened("live", source, {}).pull(since))


@pytest.fixture(scope="module")
def mlflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MLflow]:
    folder, port = tmp_path_factory.mktemp("mlflow"), free_port()
    command = (
        *(program("mlflow"), "server", "--host", "127.0.0.1", "--port", str(port)),
        *("--backend-store-uri", f"sqlite:///{folder}/m.db"),
        *("--artifacts-destination", str(folder / "artifacts"), "--workers", "1"),
    )
    url = f"http://127.0.0.1:{port}"
    with running(command, TELEMETRY, folder, f"{url}/health"):
        yield MLflow(url)


def row(session: str | None, question: str = "q", answer: str = "a", **more: Any) -> dict[str, Any]:
    return {"session": session, "question": question, "answer": answer, **more}


def test_what_its_client_wrote_comes_back_as_a_session(mlflow: MLflow) -> None:
    first = row("s-1", "How long?", "Ten days.", failed=True)
    second = row("s-1", "Really?", "Thirty.", vote=False)
    mlflow.seed("whole", first, second, row(None, "Hi", "Yes"))
    found = [item for item in mlflow.pull("whole") if isinstance(item, Trajectory)]
    session = next(item for item in found if item.session_id == "s-1")
    said = ["How long?", "Ten days.", "Really?", "Thirty."]
    assert [turn.content for turn in session.turns] == said
    tools = [node.tool for node in session.nodes if node.tool]
    assert [(tool.name, tool.status) for tool in tools] == [
        ("kb_search", "ok"),
        ("get_order", "error"),
        ("kb_search", "ok"),
        ("get_order", "ok"),
    ]
    assert tools[0].input == {"query": "period"}
    assert tools[0].output == {"results": [{"path": "kb/returns.md", "content": "30 days"}]}
    assert "boom" in (tools[1].error or "")
    votes = [(v.type, v.value, v.turn_id, v.comment, v.source) for v in session.feedback]
    assert votes == [("thumbs", False, 4, "why", "human")]
    assert session.principal == "u-1"
    assert session.metadata["environment"] == "prod"
    (lone,) = [item for item in found if item.session_id != "s-1"]
    assert lone.metadata["reading"] == {"missing_session_id": 1}


def test_filters_and_the_window(mlflow: MLflow) -> None:
    mlflow.seed("filters", row("f-ok"), row("f-bad", failed=True), row("f-down", vote=False))
    assert ids(mlflow.pull("filters", only_errors=True)) == {"f-bad"}
    assert ids(mlflow.pull("filters", feedback_below=0.5)) == {"f-down"}
    assert ids(mlflow.pull("filters", environment="prod")) == {"f-ok", "f-bad", "f-down"}
    assert ids(mlflow.pull("filters", tags=("env=none",))) == set()
    present = datetime.now(UTC)
    assert ids(mlflow.pull("filters", present - timedelta(days=1))) == {"f-ok", "f-bad", "f-down"}
    ahead = present + timedelta(days=2)
    assert mlflow.pull("filters", ahead, overlap_hours=0, late_votes_days=0) == []


def test_spans_that_came_as_otlp_read_as_they_were_sent(mlflow: MLflow) -> None:
    body = json.dumps({"name": "otlp"}).encode()
    made = mlflow.post(
        "/api/2.0/mlflow/experiments/create", body, {"content-type": "application/json"}
    )
    headers = {
        "content-type": "application/x-protobuf",
        "x-mlflow-experiment-id": made["experiment_id"],
    }
    sent = urllib.request.Request(
        f"{mlflow.url}/v1/traces", protobuf(request(*sample_spans())), headers
    )
    with urllib.request.urlopen(sent):
        pass
    local = {s.session_id: s for s in convert(str(SAMPLE)) if isinstance(s, Trajectory)}
    until = time.monotonic() + 60
    found: dict[str, Trajectory] = {}
    while time.monotonic() < until and set(found) != set(local):
        found = {s.session_id: s for s in mlflow.pull("otlp") if isinstance(s, Trajectory)}
    assert {name: told(s) for name, s in found.items()} == {n: told(s) for n, s in local.items()}


def test_an_experiment_that_is_not_there(mlflow: MLflow) -> None:
    with pytest.raises(SourceError, match="not there"):
        mlflow.pull("no-such-experiment")


def ids(items: list[Trajectory | Skipped]) -> set[str]:
    return {item.session_id for item in items if isinstance(item, Trajectory)}
