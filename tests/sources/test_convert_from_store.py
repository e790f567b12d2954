"""`trace-bot convert` from a store on loopback, as a person runs it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli import main
from bot.records.trajectory import Trajectory
from bot.sources.canonical import CanonicalSource
from tests.sources.fakes import phoenix
from tests.sources.fakes.said import Said
from tests.sources.fakes.server import Fault, StoreServer

SAID = [Said(n, f"s-{n}", failed=n == 2) for n in (1, 2, 3)]
KEY = "a-secret"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[StoreServer]:
    monkeypatch.setenv("PHOENIX_API_KEY", KEY)
    monkeypatch.delenv("PHOENIX_PROJECT_NAME", raising=False)
    with StoreServer(phoenix.fake(SAID), phoenix.HEADERS) as server:
        yield server


def convert(store: StoreServer, output: Path, asked: str = "?project=support") -> int:
    place = f"{store.url}{asked}"
    return main(["convert", "--source", "phoenix", place, "-o", str(output)])


def ids(path: Path) -> set[str]:
    items = CanonicalSource((str(path),)).pull(None)
    return {item.session_id for item in items if isinstance(item, Trajectory)}


def test_sessions_of_a_store_become_a_canonical_file(store: StoreServer, tmp_path: Path) -> None:
    assert convert(store, tmp_path / "all.jsonl.gz") == 0
    assert ids(tmp_path / "all.jsonl.gz") == {"s-1", "s-2", "s-3"}


def test_the_address_says_which_sessions(store: StoreServer, tmp_path: Path) -> None:
    assert convert(store, tmp_path / "bad.jsonl", "?project=support&only_errors=true") == 0
    assert ids(tmp_path / "bad.jsonl") == {"s-2"}


def test_a_wrong_key_ends_with_3_and_is_not_shown(
    store: StoreServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("PHOENIX_API_KEY", "the-wrong-one")
    with caplog.at_level(logging.INFO):
        assert convert(store, tmp_path / "none.jsonl") == 3
    assert "refused the key" in caplog.text
    assert "the-wrong-one" not in caplog.text
    assert not (tmp_path / "none.jsonl").exists()


def test_a_project_that_is_not_there_ends_with_6(store: StoreServer, tmp_path: Path) -> None:
    assert convert(store, tmp_path / "none.jsonl", "?project=other") == 6


def test_a_limit_that_lasts_ends_with_75(store: StoreServer, tmp_path: Path) -> None:
    store.faults = [Fault(429, {"retry-after": "3600"})]
    assert convert(store, tmp_path / "none.jsonl") == 75


def test_a_wrong_key_of_the_address_ends_with_2(store: StoreServer, tmp_path: Path) -> None:
    assert convert(store, tmp_path / "none.jsonl", "?projct=support") == 2
    assert store.asked == []


def test_only_the_window_is_converted(store: StoreServer, tmp_path: Path) -> None:
    place = f"{store.url}?project=support"
    args = ["convert", "--source", "phoenix", place, "-o", str(tmp_path / "new.jsonl")]
    assert main([*args, "--since", "2099-01-01"]) == 0
    assert (tmp_path / "new.jsonl").read_bytes() == b""
    assert main([*args, "--since", "2026-11-30"]) == 0
    assert ids(tmp_path / "new.jsonl") == {"s-1", "s-2", "s-3"}
