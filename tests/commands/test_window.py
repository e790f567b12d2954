"""From when on `analyze` asks a store: as `--since` says, else as the dashboard remembers."""

from __future__ import annotations

import json
import logging
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.cli import main
from bot.utc import present, stamp
from tests.github_fake import GitHubFake
from tests.github_fake.gitstore import clean_env
from tests.proposals import FILES
from tests.sources.fakes import phoenix
from tests.sources.fakes.said import Said
from tests.sources.fakes.server import Fault, StoreServer

CONFIG = """\
window_days: 3
sources:
  production: {{type: phoenix, url: "{url}", overlap_hours: 0, late_votes_days: 0}}
"""
SESSION = {
    "session_id": "s-2",
    "started_at": "2020-01-01T00:00:00Z",
    "turns": [{"turn_id": 1, "role": "user", "content": "Hello"}],
}
Analyze = Callable[..., dict[str, object]]


@pytest.fixture
def store() -> Iterator[StoreServer]:
    with StoreServer(phoenix.fake([Said(1, "s-1")]), phoenix.HEADERS) as server:
        yield server


@pytest.fixture
def hub(tmp_path: Path, store: StoreServer) -> Iterator[GitHubFake]:
    with GitHubFake(tmp_path / "hub") as fake:
        files = {**FILES, "trace-bot.yaml": CONFIG.format(url=store.url)}
        fake.create_repo("acme/context", files=files)
        fake.tokens["tok-read"] = "trace-bot[bot]"
        fake.grants["tok-read"] = {"contents": "read", "issues": "read"}
        clone = ("git", "clone", "-q", f"file://{fake.repo().git}", str(tmp_path / "work"))
        subprocess.run(clone, env=clean_env(), check=True)
        yield fake


@pytest.fixture
def analyze(hub: GitHubFake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Analyze:
    """Runs `analyze`, which must succeed, and gives its plan."""
    for name in ("TRACE_BOT_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    addresses = {"GITHUB_API_URL": hub.base_url, "GITHUB_SERVER_URL": hub.base_url}
    told = {"GITHUB_REPOSITORY": "acme/context", "TRACE_BOT_READ_TOKEN": "tok-read"}
    for name, value in {**phoenix.ENVIRONMENT, **addresses, **told}.items():
        monkeypatch.setenv(name, value)

    def run(*options: str) -> dict[str, object]:
        plan = tmp_path / "plan.json"
        args = ("analyze", "--context", str(tmp_path / "work"), "-o", str(plan), *options)
        assert main(list(args)) == 0
        return dict(json.loads(plan.read_bytes()))

    return run


def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "tok-bot")
    monkeypatch.delenv("PHOENIX_API_KEY")
    work = str(tmp_path / "work")
    assert main(["publish", "--yes", "--context", work, str(tmp_path / "plan.json")]) == 0
    monkeypatch.delenv("GITHUB_TOKEN")
    monkeypatch.setenv("PHOENIX_API_KEY", phoenix.ENVIRONMENT["PHOENIX_API_KEY"])


def asked_since(store: StoreServer) -> datetime | None:
    """From when on the store was asked for traces last."""
    queries = [parse_qs(urlsplit(path).query) for path in store.asked if "/traces?" in path]
    stamps = [query["start_time"][0] for query in queries if "start_time" in query]
    return datetime.fromisoformat(stamps[-1].replace("Z", "+00:00")) if stamps else None


def about(span: timedelta) -> tuple[datetime, datetime]:
    """Around so long ago; the tests before took their time."""
    return present() - span - timedelta(minutes=5), present() - span + timedelta(minutes=5)


def is_about(moment: datetime | None, span: timedelta) -> bool:
    early, late = about(span)
    return moment is not None and early < moment < late


def test_the_first_run_reads_the_default_window_and_the_next_goes_on_from_it(
    analyze: Analyze,
    store: StoreServer,
    hub: GitHubFake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    plan = analyze()
    assert "3 days back: there is no dashboard by trace-bot[bot]" in caplog.text
    assert is_about(asked_since(store), timedelta(days=3))
    assert isinstance(plan["reading"], dict)
    publish(tmp_path, monkeypatch)
    # As if that had been some days ago.
    (board,) = [i for i in hub.repo().issues.values() if i.pull is None]
    before = present() - timedelta(days=5)
    assert plan["reading"]["until"] in (board.body or "")
    board.body = (board.body or "").replace(plan["reading"]["until"], stamp(before))
    caplog.clear()
    again = analyze()
    assert "up to which earlier runs read, says the dashboard" in caplog.text
    assert is_about(asked_since(store), timedelta(days=8))
    assert isinstance(again["reading"], dict)
    assert again["reading"]["since"] == stamp(before - timedelta(days=3))
    assert "tok-read" not in caplog.text


def test_what_is_asked_for_stands_above_the_dashboard(
    analyze: Analyze, store: StoreServer, hub: GitHubFake
) -> None:
    analyze("--since", "2026-01-31")
    assert asked_since(store) == datetime(2026, 1, 31, tzinfo=UTC)
    assert hub.log == []


def test_without_a_token_stores_are_read_from_their_beginning(
    analyze: Analyze,
    store: StoreServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.delenv("TRACE_BOT_READ_TOKEN")
    plan = analyze()
    assert asked_since(store) is None
    assert "neither --since nor TRACE_BOT_READ_TOKEN is set" in caplog.text
    assert isinstance(plan["reading"], dict)
    assert plan["reading"]["since"] == ""


def test_files_are_read_whole_and_move_nothing(
    analyze: Analyze, hub: GitHubFake, tmp_path: Path
) -> None:
    (tmp_path / "s.jsonl").write_text(json.dumps(SESSION), "utf-8")
    plan = analyze("--trajectories", str(tmp_path / "s.jsonl"))
    assert isinstance(plan["observed"], list)
    assert len(plan["observed"]) == 1
    assert plan["reading"] is None
    assert hub.log == []


def test_a_limit_on_the_command_line_moves_nothing(analyze: Analyze, store: StoreServer) -> None:
    store.answer = phoenix.fake([Said(n, f"s-{n}") for n in (1, 2, 3)])
    assert analyze("--limit", "1", "--since", "2026-01-31")["reading"] is None


def test_a_run_that_reached_its_limit_says_so(
    analyze: Analyze, store: StoreServer, tmp_path: Path
) -> None:
    config = tmp_path / "work" / "trace-bot.yaml"
    config.write_text(config.read_text("utf-8") + "max_trajectories_per_run: 1\n", "utf-8")
    store.answer = phoenix.fake([Said(n, f"s-{n}") for n in (1, 2, 3)])
    reading = analyze("--since", "2026-01-31")["reading"]
    assert isinstance(reading, dict)
    assert reading["until"] == ""


def test_a_store_that_breaks_off_moves_nothing(analyze: Analyze, store: StoreServer) -> None:
    store.answer = phoenix.fake([Said(n, f"s-{n}") for n in range(1, 8)])
    # The list of sessions, and four requests for each of the first six.
    store.broken_from, store.broken = 25, Fault(404)
    assert analyze("--since", "2026-01-31")["reading"] is None


def test_one_of_several_stores_moves_nothing(
    analyze: Analyze, store: StoreServer, tmp_path: Path
) -> None:
    config = tmp_path / "work" / "trace-bot.yaml"
    other = f'  other: {{type: phoenix, url: "{store.url}"}}\n'
    config.write_text(config.read_text("utf-8") + other, "utf-8")
    since = ("--since", "2026-01-31")
    assert analyze("--source", "production", *since)["reading"] is None
    assert analyze(*since)["reading"] is not None


def test_a_dry_run_asks_no_dashboard(analyze: Analyze, hub: GitHubFake, tmp_path: Path) -> None:
    assert main(["dry-run", "--context", str(tmp_path / "work")]) == 0
    assert hub.log == []


def test_run_reads_on_with_its_own_token_and_writes_no_second_time(
    analyze: Analyze,
    store: StoreServer,
    hub: GitHubFake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setenv("GITHUB_TOKEN", "tok-bot")
    arguments = ["run", "--yes", "--context", str(tmp_path / "work")]
    assert main(arguments) == 0
    assert "there is no dashboard by trace-bot[bot]" in caplog.text
    done = len(hub.writes)
    assert main(arguments) == 0
    assert "up to which earlier runs read, says the dashboard" in caplog.text
    assert len(hub.writes) == done
