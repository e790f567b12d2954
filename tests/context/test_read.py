"""A checkout as the program sees it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.context.history import HistoryEntry
from bot.context.read import read_repo
from bot.errors import ConfigError
from context_repo_schema.config import Config

FIXTURES = Path(__file__).parents[2] / "fixtures"


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8", newline="")


def git(root: Path, *arguments: str) -> str:
    name = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
    done = subprocess.run(["git", *name, *arguments], cwd=root, check=True, capture_output=True)
    return done.stdout.decode().strip()


def test_read_repo_of_a_folder_has_texts_components_and_no_history(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "skills/pay/SKILL.md": "---\nname: pay\nowner: finance\n---\r\n# Pay\r\n",
            "CODEOWNERS": "* @org/x\n",
            "database/codes.csv": "a,b\n",
        },
    )

    repo = read_repo(tmp_path)

    assert repo.commit is None
    assert sorted(repo.texts) == ["CODEOWNERS", "database/codes.csv", "skills/pay/SKILL.md"]
    assert [(c.type, c.path) for c in repo.components] == [
        ("schema_hint", "database/codes.csv"),
        ("skill", "skills/pay/SKILL.md"),
    ]
    skill = repo.component("skills/pay/SKILL.md")
    assert skill is not None
    assert skill.meta["owner"] == "finance"
    assert (skill.sections[0].slug, skill.sections[0].first_line) == ("pay", 5)
    assert dict(repo.history) == {}


def test_read_repo_of_a_git_checkout_knows_commit_and_history(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n", "docs/b.md": "# B\n"})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "docs/a.md")
    git(tmp_path, "commit", "-qm", "one")

    repo = read_repo(tmp_path)

    assert repo.commit == git(tmp_path, "rev-parse", "HEAD")
    assert list(repo.texts) == ["docs/a.md"]
    assert [c.message for c in repo.history["docs/a.md"]] == ["one"]
    assert repo.skipped == ()


def test_read_repo_of_a_shallow_clone_says_that_age_is_unknown(tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    write(origin, {"docs/a.md": "# A\n"})
    git(origin, "init", "-q")
    git(origin, "add", ".")
    git(origin, "commit", "-qm", "one")
    git(origin, "commit", "-qm", "two", "--allow-empty")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", "clone")

    repo = read_repo(tmp_path / "clone")

    assert dict(repo.history) == {}
    assert ["fetch-depth: 0" in note.reason for note in repo.skipped] == [True]
    assert repo.commit == git(origin, "rev-parse", "HEAD")


def test_read_repo_before_the_first_commit_has_none(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, {"AGENTS.md": "x"})
    git(tmp_path, "add", ".")

    repo = read_repo(tmp_path)

    assert repo.commit is None
    assert list(repo.texts) == ["AGENTS.md"]


def test_read_repo_with_a_history_of_its_own_takes_that(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n"})
    entries = [HistoryEntry("2026-01-01T00:00:00Z", "Ada", "First", ("docs/a.md",))]

    repo = read_repo(tmp_path, Config(), entries)

    assert repo.history["docs/a.md"][0].author == "Ada"


def test_read_repo_follows_the_configuration_at_its_root(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"trace-bot.yaml": "components: {kb_entry: [metrics/*.md]}\n", "metrics/a.md": "# A\n"},
    )

    assert [c.type for c in read_repo(tmp_path).components] == ["kb_entry"]
    assert read_repo(tmp_path, Config()).components == ()
    assert list(read_repo(tmp_path).texts) == ["metrics/a.md"]


def test_read_repo_reports_what_it_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff")

    assert [(s.where, "UTF-8" in s.reason) for s in read_repo(tmp_path).skipped] == [("a.md", True)]


def test_read_repo_of_what_is_no_checkout_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        read_repo(tmp_path / "none")
    (tmp_path / ".git").mkdir()
    with pytest.raises(ConfigError, match="git cannot read"):
        read_repo(tmp_path)
    (tmp_path / "trace-bot.yaml").write_text("mod: x\n")
    with pytest.raises(ConfigError, match=r"trace-bot\.yaml:1: mod"):
        read_repo(tmp_path)


def test_read_repo_of_real_files_gives_back_their_bytes() -> None:
    repo = read_repo(FIXTURES / "context-repos")

    assert len(repo.texts) > 20
    for path, text in repo.texts.items():
        assert text.encode() == (repo.root / path).read_bytes()


def test_read_repo_resolves_paths_by_alias_and_by_link(tmp_path: Path) -> None:
    text = "aliases: {kb/: knowledge_base/, manual: docs/a.md}\n"
    write(tmp_path, {"trace-bot.yaml": text, "knowledge_base/p/x.md": "x", "docs/a.md": "a"})
    write(tmp_path, {"old/p/x.md": "another of that name", "AGENTS.md": "x"})
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "linked").symlink_to("docs")

    repo = read_repo(tmp_path)

    assert repo.resolve("kb/p/x.md") == "knowledge_base/p/x.md"
    assert repo.resolve("manual") == "docs/a.md"
    assert repo.resolve("CLAUDE.md") == "AGENTS.md"
    assert repo.resolve("./linked/a.md") == "docs/a.md"
    assert repo.resolve("kb2/p/x.md") is None  # two files end so, and no alias names it
    assert repo.resolve("docs/a.md") == "docs/a.md"
