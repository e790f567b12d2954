"""Against a real Phoenix, with its authentication on."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.errors import AccessError, SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.opened import opened
from bot.sources.otlp import convert
from context_repo_schema.config import Source
from tests.live.sample import SAMPLE, sample_spans, told
from tests.live.servers import free_port, program, running
from tests.sources.otlp_rows import START, protobuf, request, span

pytestmark = pytest.mark.live

KEY = "a-secret-of-this-test-0123456789abcdef"
TRACES = {"content-type": "application/x-protobuf"}


class Phoenix:
    """A running server: what is sent to it, and what comes out of it again."""

    def __init__(self, url: str) -> None:
        self.url = url

    def send(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        told = {**headers, "authorization": f"Bearer {KEY}"}
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}{path}", body, told)):
            pass

    def spans(self, project: str, rows: list[dict[str, Any]]) -> None:
        """Traces are stored a little later than they are taken; this waits for them."""
        named = request(*rows, resource={"openinference.project.name": project})
        self.send("/v1/traces", protobuf(named), TRACES)
        traces = {row["traceId"] for row in rows}
        until = time.monotonic() + 60
        while time.monotonic() < until and not traces <= self.stored(project):
            time.sleep(0.3)

    def stored(self, project: str) -> set[str]:
        try:
            items = self.pull(project)
        except SourceError:
            return set()
        return {t for s in items if isinstance(s, Trajectory) for t in s.metadata["trace_ids"]}

    def vote(self, level: str, subject: str, label: str | None, score: float, why: str) -> None:
        row = {
            f"{level}_id": subject,
            "name": "user_feedback",
            "annotator_kind": "HUMAN",
            "result": {"label": label, "score": score, "explanation": why},
        }
        body = json.dumps({"data": [row]}).encode()
        headers = {"content-type": "application/json"}
        self.send(f"/v1/{level}_annotations?sync=true", body, headers)

    def pull(
        self, project: str, since: datetime | None = None, key: str = KEY, **asked: Any
    ) -> list[Trajectory | Skipped]:
        source = Source("phoenix", url=self.url, project=project, **asked)
        return list(opened("live", source, {"PHOENIX_API_KEY": key}).pull(since))


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phoenix]:
    folder, port = tmp_path_factory.mktemp("phoenix"), free_port()
    environment = {
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_TELEMETRY_ENABLED": "false",
        "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
        "PHOENIX_ENABLE_AUTH": "true",
        "PHOENIX_SECRET": "another-secret-of-this-test-0123456789",
        "PHOENIX_ADMIN_SECRET": KEY,
    }
    url = f"http://127.0.0.1:{port}"
    with running((program("phoenix"), "serve"), environment, folder, f"{url}/healthz"):
        yield Phoenix(url)


def agent(trace: int, session: str | None, *, at: int = 0, failed: bool = False) -> list[Any]:
    told = {"openinference.span.kind": "AGENT", "input.value": "q", "output.value": "a"}
    told |= {"session.id": session} if session else {}
    whole = f"{trace:032x}"
    root = f"{trace:016x}"
    tool = {"openinference.span.kind": "TOOL", "tool.name": "get_order"}
    more: dict[str, Any] = {"trace": whole, "at": at + 1, "error": "boom" if failed else None}
    return [
        span("agent", told, trace=whole, span_id=root, at=at, lasted=100),
        span("get_order", tool, span_id=f"{trace:08x}ffffffff", parent=root, **more),
    ]


def test_what_an_exporter_sent_comes_back_as_it_was(phoenix: Phoenix) -> None:
    phoenix.spans("sample", sample_spans())
    phoenix.vote("span", "a1324498279f565e", "thumbs-down", 0, "number is wrong")
    phoenix.vote("session", "sess-bad-1", "dissatisfied", 1, "")
    phoenix.vote("trace", "fa1c884df344dabdf7dab3e340b775a9", "thumbs-up", 1, "")
    found = {s.session_id: s for s in phoenix.pull("sample") if isinstance(s, Trajectory)}
    local = {s.session_id: s for s in convert(str(SAMPLE)) if isinstance(s, Trajectory)}
    assert set(found) == set(local) == {"sess-bad-1", "sess-good-1"}
    assert {name: told(s) for name, s in found.items()} == {n: told(s) for n, s in local.items()}
    votes = {(v.value, v.turn_id, v.comment) for v in found["sess-bad-1"].feedback}
    assert votes == {("thumbs-down", 2, "number is wrong"), ("dissatisfied", None, None)}
    assert [(v.value, v.turn_id) for v in found["sess-good-1"].feedback] == [("thumbs-up", 2)]


def test_more_sessions_than_a_page_holds_come_once_each(phoenix: Phoenix) -> None:
    for start in range(0, 130, 65):
        numbers = range(start, start + 65)
        phoenix.spans("pages", [row for n in numbers for row in agent(1000 + n, f"p-{n}", at=n)])
    found = [item.session_id for item in phoenix.pull("pages") if isinstance(item, Trajectory)]
    assert sorted(found) == sorted(f"p-{n}" for n in range(130))


def test_filters_and_traces_without_a_session(phoenix: Phoenix) -> None:
    bad = agent(2001, "f-bad", at=5, failed=True)
    rows = [*agent(2000, "f-ok"), *bad, *agent(2002, None, at=9)]
    phoenix.spans("filters", rows)
    assert ids(phoenix.pull("filters")) == {"f-ok", "f-bad", f"{2002:032x}"}
    assert ids(phoenix.pull("filters", only_errors=True)) == {"f-bad"}


def test_the_window_and_a_late_vote(phoenix: Phoenix) -> None:
    day = 24 * 3600 * 1000
    present = datetime.now(UTC)
    began = int((present - timedelta(days=3)).timestamp() * 1000) - START // 1_000_000
    rows = [
        *agent(3000, "w-old", at=began),
        *agent(3001, "w-voted", at=began),
        *agent(3002, "w-long", at=began - 20 * day),
        *agent(3003, "w-long", at=began + 3 * day - 60_000),
    ]
    phoenix.spans("window", rows)
    phoenix.vote("trace", f"{3001:032x}", None, 0, "late")
    found = phoenix.pull("window", present - timedelta(days=1), overlap_hours=0)
    assert ids(found) == {"w-voted", "w-long"}
    (long,) = [s for s in found if isinstance(s, Trajectory) and s.session_id == "w-long"]
    assert len(long.turns) == 4


def test_a_wrong_key_and_a_project_that_is_not_there(phoenix: Phoenix) -> None:
    with pytest.raises(AccessError) as refused:
        phoenix.pull("sample", key="wrong-key")
    assert "wrong-key" not in str(refused.value)
    with pytest.raises(SourceError, match="not there"):
        phoenix.pull("no-such-project")


def ids(items: list[Trajectory | Skipped]) -> set[str]:
    return {item.session_id for item in items if isinstance(item, Trajectory)}
