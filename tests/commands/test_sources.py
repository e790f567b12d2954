"""Commands that read sessions read them from the sources of the configuration, too."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli import main
from tests.sources.fakes import phoenix
from tests.sources.fakes.said import Said
from tests.sources.fakes.server import Fault, StoreServer

SAID = [Said(n, f"s-{n}") for n in (1, 2, 3)]
CONFIG = """\
sources:
  production: {{type: phoenix, url: "{url}", project: support}}
  archive: {{type: openai-chat, path: "{folder}/chats.jsonl"}}
"""
CHAT = {"id": "c-1", "messages": [{"role": "user", "content": "Hello"}]}
SESSION = {"session_id": "s-2", "turns": [{"turn_id": 1, "role": "user", "content": "Hello"}]}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoreServer]:
    for name, value in phoenix.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with StoreServer(phoenix.fake(SAID), phoenix.HEADERS) as server:
        (tmp_path / "AGENTS.md").write_text("# Assistant\n", "utf-8")
        config = CONFIG.format(url=server.url, folder=tmp_path)
        (tmp_path / "trace-bot.yaml").write_text(config, "utf-8")
        (tmp_path / "chats.jsonl").write_text(json.dumps(CHAT) + "\n", "utf-8")
        (tmp_path / "s.jsonl").write_text(json.dumps(SESSION) + "\n", "utf-8")
        yield server


def read(tmp_path: Path, *options: str) -> list[str]:
    """The sessions of a dry run, which must succeed."""
    report = tmp_path / "report.json"
    assert main(["dry-run", "--context", str(tmp_path), "--json", str(report), *options]) == 0
    return [session["session_id"] for session in json.loads(report.read_bytes())["sessions"]]


def test_a_source_is_read_by_its_name(store: StoreServer, tmp_path: Path) -> None:
    assert read(tmp_path, "--source", "production") == ["s-1", "s-2", "s-3"]
    assert read(tmp_path, "--source", "archive") == ["c-1"]


def test_where_nothing_is_named_all_sources_are_read(store: StoreServer, tmp_path: Path) -> None:
    assert read(tmp_path) == ["s-1", "s-2", "s-3", "c-1"]


def test_files_that_are_named_are_read_alone(store: StoreServer, tmp_path: Path) -> None:
    assert read(tmp_path, "--trajectories", str(tmp_path / "s.jsonl")) == ["s-2"]
    assert store.asked == []


def test_a_session_of_a_file_and_of_a_source_counts_once(
    store: StoreServer, tmp_path: Path
) -> None:
    files = ("--trajectories", str(tmp_path / "s.jsonl"))
    assert read(tmp_path, *files, "--source", "production") == ["s-2", "s-1", "s-3"]
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert [item["where"] for item in report["skipped"]] == ["s-2"]


def test_a_plan_is_made_from_a_source(store: StoreServer, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    args = ["analyze", "--context", str(tmp_path), "--source", "production", "-o", str(plan)]
    assert main(args) == 0
    assert len(json.loads(plan.read_bytes())["observed"]) == len(SAID)


def test_a_session_of_a_source_is_explained(
    store: StoreServer, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["explain", "s-3", "--context", str(tmp_path), "--source", "production"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"Session s-3\n")


def test_a_store_that_breaks_off_makes_the_plan_partial(store: StoreServer, tmp_path: Path) -> None:
    store.answer = phoenix.fake([Said(n, f"s-{n}") for n in range(1, 8)])
    # The list of sessions, and four requests for each of the first six.
    store.broken_from, store.broken = 25, Fault(404)
    out = tmp_path / "out"
    assert len(read(tmp_path, "--source", "production", "--out", str(out))) == 6
    assert json.loads((out / "plan.json").read_bytes())["partial"] is True


@pytest.mark.parametrize(("limit", "partial"), [("2", True), ("4", False)])
def test_a_limit_that_was_reached_makes_the_plan_partial(
    store: StoreServer, tmp_path: Path, limit: str, partial: bool
) -> None:
    out = tmp_path / "out"
    assert read(tmp_path, "--source", "production", "--limit", limit, "--out", str(out))
    assert json.loads((out / "plan.json").read_bytes())["partial"] is partial


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--source", "test"], 2, "there is no source 'test'"),
        (["--source", "archive", "--source", "production"], 3, "refused the key"),
    ],
)
def test_what_cannot_be_read_ends_the_run(
    store: StoreServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    code: int,
    said: str,
) -> None:
    monkeypatch.setenv("PHOENIX_API_KEY", "the-wrong-one")
    assert main(["dry-run", "--context", str(tmp_path), *options]) == code
    assert said in caplog.text


def test_a_window_without_sessions_names_its_sources(
    store: StoreServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "chats.jsonl").write_text("", "utf-8")
    with caplog.at_level(logging.WARNING):
        assert read(tmp_path, "--since", "2099-01-01") == []
    assert "0 sessions in production, archive; --since 2099-01-01" in caplog.text


def test_without_files_and_sources_there_is_nothing_to_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "AGENTS.md").write_text("# Assistant\n", "utf-8")
    assert main(["dry-run", "--context", str(tmp_path)]) == 2
    assert "--trajectories PATH" in caplog.text
