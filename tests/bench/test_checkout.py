"""A context repository becomes a real git checkout with the history that was recorded for it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from bot.bench.checkout import checkout
from bot.context.history import HistoryEntry, by_path, git_history, read_history
from bot.errors import ConfigError

SCENARIOS = Path(__file__).parents[2] / "fixtures" / "scenarios"

FIRST = HistoryEntry("2024-01-15T10:20:00Z", "Finance Ops", "First: ä\n\nA body.", ("a.md",))
SECOND = HistoryEntry("2024-03-04T09:05:00+02:00", "Zoë <b>", "Second", ("a.md", "b/[x].md"))


@pytest.fixture
def context(tmp_path: Path) -> Path:
    root = tmp_path / "context"
    (root / "b").mkdir(parents=True)
    (root / "a.md").write_bytes(b"one\r\ntwo")
    (root / "b" / "[x].md").write_bytes(b"\xef\xbb\xbfx\n")
    (root / "unlisted.txt").write_bytes(b"u\n")
    (root / ".gitattributes").write_bytes(b"*.md text eol=lf\n")
    (root / ".gitignore").write_bytes(b"unlisted.txt\n")
    return root


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(("git", *arguments), cwd=root, capture_output=True, check=True)
    return done.stdout.decode()


def facts(entries: Sequence[HistoryEntry]) -> list[tuple[datetime, str, str]]:
    return [(datetime.fromisoformat(e.date), e.author, e.message) for e in entries]


def test_history_is_as_recorded(context: Path, tmp_path: Path) -> None:
    into = tmp_path / "made"
    sha = checkout(context, (FIRST, SECOND), into)
    assert sha == git(into, "rev-parse", "HEAD").strip()
    assert git(into, "branch", "--show-current").strip() == "main"
    log = git(into, "log", "--reverse", "--format=%ad|%cd|%an|%s", "--date=raw").splitlines()
    assert log == [
        "1705314000 +0000|1705314000 +0000|Finance Ops|First: ä",
        "1709535900 +0200|1709535900 +0200|Zoë b|Second",
    ]
    assert git(into, "ls-tree", "-r", "--name-only", "HEAD^").splitlines() == ["a.md"]


def test_every_file_is_committed_byte_for_byte(context: Path, tmp_path: Path) -> None:
    into = tmp_path / "made"
    checkout(context, (FIRST, SECOND), into)
    assert git(into, "status", "--porcelain", "--ignored") == ""
    for name in (".gitattributes", ".gitignore", "a.md", "b/[x].md", "unlisted.txt"):
        blob = git(into, "cat-file", "blob", f"HEAD:{name}").encode()
        assert blob == (context / name).read_bytes() == (into / name).read_bytes()


def test_a_path_named_twice_belongs_to_both_commits(context: Path, tmp_path: Path) -> None:
    into = tmp_path / "made"
    checkout(context, (FIRST, SECOND), into)
    touched = by_path(git_history(into))
    assert [commit.message for commit in touched["a.md"]] == ["Second", "First: ä\n\nA body."]
    assert [commit.message for commit in touched["unlisted.txt"]] == ["Second"]


def test_commit_ids_depend_on_the_input_alone(
    context: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = checkout(context, (FIRST, SECOND), tmp_path / "once")
    config = tmp_path / "gitconfig"
    config.write_text(
        "[core]\n\tautocrlf = true\n[user]\n\tname = Someone\n[commit]\n\tgpgSign = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    (context / "a.md").chmod(0o755)
    assert checkout(context, (FIRST, SECOND), tmp_path / "again") == once


def test_no_history_is_one_commit(context: Path, tmp_path: Path) -> None:
    checkout(context, (), tmp_path / "made")
    assert git(tmp_path / "made", "rev-list", "--count", "HEAD").strip() == "1"


def test_refusals_name_the_cause(context: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not empty"):
        checkout(context, (), context)
    with pytest.raises(ConfigError, match=r"names gone\.md"):
        checkout(context, (HistoryEntry("2024-01-01", "a", "m", ("gone.md",)),), tmp_path / "one")
    with pytest.raises(ConfigError, match="no RFC 3339 date"):
        checkout(context, (HistoryEntry("soon", "a", "m", ()),), tmp_path / "two")


@pytest.mark.parametrize("scenario", ["vendor-invoice", "kb-stale"])
def test_shipped_scenarios_check_out(scenario: str, tmp_path: Path) -> None:
    folder = SCENARIOS / scenario
    recorded = read_history(folder / "history.jsonl")
    checkout(folder / "context", recorded, tmp_path / "made")
    made = git_history(tmp_path / "made")
    assert facts(made) == facts(recorded)
