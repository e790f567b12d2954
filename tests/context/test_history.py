"""Who changed which file when, from git and from a list."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.context.history import HistoryEntry, by_path, git_history, is_shallow, read_history
from bot.errors import ConfigError

IDENTITY = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "a@example.org"} | {
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(root: Path, *arguments: str, date: str = "2026-01-01T10:00:00+01:00") -> None:
    stamps = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(root), **IDENTITY, **stamps}
    subprocess.run(["git", *arguments], cwd=root, check=True, env=environment)


def commit(root: Path, message: str, date: str = "2026-01-01T10:00:00+01:00") -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message, date=date)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.md").write_text("one\n" * 20)
    (root / "commit").write_text("a file of that name")
    (root / "ü\nb.md").write_text("x")
    commit(root, "First\n\nbody\n")
    return root


def test_git_history_lists_commits_oldest_first(repo: Path) -> None:
    (repo / "a.md").write_text("two\n" * 20)
    commit(repo, "Second", "2026-02-03T04:05:06+00:00")
    commit(repo, "Empty")

    entries = git_history(repo)

    assert [(e.message, e.author, e.date) for e in entries] == [
        ("First\n\nbody", "Ada", "2026-01-01T10:00:00+01:00"),
        ("Second", "Ada", "2026-02-03T04:05:06+00:00"),
        ("Empty", "Ada", "2026-01-01T10:00:00+01:00"),
    ]
    assert [set(e.paths) for e in entries] == [{"a.md", "commit", "ü\nb.md"}, {"a.md"}, set()]
    assert by_path(entries)["a.md"][0].message == "Second"
    assert by_path(entries)["a.md"][1].files == 3


def test_git_history_of_a_pure_rename_keeps_the_date_of_the_text(repo: Path) -> None:
    git(repo, "mv", "a.md", "b.md")
    commit(repo, "Move", "2026-05-01T00:00:00+00:00")

    commits = by_path(git_history(repo))["b.md"]

    assert [c.message for c in commits] == ["First\n\nbody"]


def test_git_history_before_the_first_commit_is_empty(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")

    assert git_history(tmp_path) == ()


def test_git_history_of_a_shallow_clone_leaves_recency_unknown(repo: Path, tmp_path: Path) -> None:
    (repo / "a.md").write_text("two\n")
    commit(repo, "Second")
    (repo / "a.md").write_text("three\n")
    commit(repo, "Third")
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{repo}", "shallow")

    clone = tmp_path / "shallow"

    assert is_shallow(clone)
    assert not is_shallow(repo)
    assert {path: len(c) for path, c in by_path(git_history(clone)).items()} == {"a.md": 1}


def test_by_path_puts_the_newest_first() -> None:
    entries = (
        HistoryEntry("2025-01-01", "a", "one", ("x", "y")),
        HistoryEntry("2026-01-01", "b", "two", ("x",)),
    )

    found = by_path(entries)

    assert [c.message for c in found["x"]] == ["two", "one"]
    assert [c.files for c in found["x"]] == [1, 2]
    assert [c.message for c in found["y"]] == ["one"]


def test_read_history_names_the_broken_line(tmp_path: Path) -> None:
    place = tmp_path / "history.jsonl"
    good = '{"date": "2026-01-01", "author": "a", "message": "m", "paths": ["x"]}\n'
    place.write_text(good + "\n")
    assert read_history(place) == (HistoryEntry("2026-01-01", "a", "m", ("x",)),)

    place.write_text(good + '{"date": "2026-01-01"}\n')
    with pytest.raises(ConfigError, match=r"history\.jsonl:2: .*author"):
        read_history(place)
