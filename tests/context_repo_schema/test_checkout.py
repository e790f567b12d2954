"""Which files are read, byte for byte, and why the others are not."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_repo_schema.checkout import GitFailed, git, in_roots, read_tree
from context_repo_schema.config import Config


def git_repo(root: Path, *paths: str) -> Path:
    for command in (
        ["init", "-q"],
        ["config", "user.name", "n"],
        ["config", "user.email", "n@example.org"],
        ["add", "-f", *paths],
        ["commit", "-qm", "first"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True)
    return root


def reasons(root: Path, config: Config | None = None) -> dict[str, str]:
    return {file.path: file.kind for file in read_tree(root, config or Config()).unread}


@pytest.mark.parametrize(
    "raw",
    [b"\xef\xbb\xbf---\r\na: 1\r\n---\r\n", b"no end", b"a\rb\r", b"", "é\u2028x\n\n".encode()],
)
def test_read_tree_keeps_every_byte(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.md").write_bytes(raw)

    assert read_tree(tmp_path, Config()).texts["a.md"].encode() == raw


def test_read_tree_of_a_folder_names_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "latin.md").write_bytes(b"one\ncaf\xe9\n")
    (tmp_path / "large.md").write_bytes(b"x" * 101)
    (tmp_path / "pointer.md").write_text("version https://git-lfs.github.com/spec/v1\noid x\n")
    (tmp_path / "line\nbreak.md").write_text("x")
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "ok.md").write_text("x")

    tree = read_tree(tmp_path, Config(max_file_bytes=100))

    assert dict(tree.texts) == {"ok.md": "x"}
    assert {file.path: file.kind for file in tree.unread} == {
        "picture.png": "binary",
        "latin.md": "encoding",
        "large.md": "size",
        "pointer.md": "pointer",
        "'line\\nbreak.md'": "name",
        "'caf\\udce9.md'": "name",
        "pipe.md": "binary",
    }
    assert "line 2" in next(f.reason for f in tree.unread if f.path == "latin.md")


def test_read_tree_never_follows_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    root = tmp_path / "root"
    root.mkdir()
    (root / "AGENTS.md").write_text("x")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to("loop")
    (root / "dead.md").symlink_to("nowhere")

    assert dict(read_tree(root, Config()).texts) == {"AGENTS.md": "x"}
    assert reasons(root) == {
        "CLAUDE.md": "link",
        "out.md": "outside",
        "folder": "outside",
        "loop": "missing",
        "dead.md": "missing",
    }


def test_read_tree_of_a_git_checkout_reads_tracked_files_only(tmp_path: Path) -> None:
    for name in ("a.md", "gone.md", "ü b.md"):
        (tmp_path / name).write_text(name)
    git_repo(tmp_path, "a.md", "gone.md", "ü b.md")
    (tmp_path / "gone.md").unlink()
    (tmp_path / "new.md").write_text("untracked")

    assert sorted(read_tree(tmp_path, Config()).texts) == ["a.md", "ü b.md"]
    assert reasons(tmp_path) == {"gone.md": "missing"}


def test_read_tree_of_a_submodule_leaves_it_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    git_repo(tmp_path, "a.md")
    sha = git(tmp_path, "rev-parse", "HEAD").strip()
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{sha},vendor/sub")

    assert reasons(tmp_path) == {"vendor/sub": "submodule"}


def test_read_tree_of_a_tracked_folder_that_became_a_link_stays_inside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "a.md").write_text("x")
    git_repo(root, "docs/a.md")
    (root / "docs" / "a.md").unlink()
    (root / "docs").rmdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.md").write_text("secret")
    (root / "docs").symlink_to(tmp_path / "other")

    assert dict(read_tree(root, Config()).texts) == {}
    assert reasons(root) == {"docs/a.md": "outside"}


def test_read_tree_leaves_out_what_is_excluded(tmp_path: Path) -> None:
    for name in ("docs/a.md", "node_modules/b.md", "evals/c.md", "trace-bot.yaml", "src/d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")

    config = Config(exclude=("evals/**",), roots=("docs", "evals", "node_modules"))

    assert list(read_tree(tmp_path, config).texts) == ["docs/a.md"]
    assert list(read_tree(tmp_path, Config()).texts) == ["docs/a.md", "evals/c.md", "src/d.md"]


def test_in_roots_compares_whole_folder_names() -> None:
    assert in_roots("docs/a.md", ("docs",))
    assert not in_roots("docs2/a.md", ("docs",))
    assert in_roots("x/y.md", ("a", "."))


def test_git_sees_no_variable_of_ours_and_its_failure_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("x")
    git_repo(tmp_path, "a.md")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GITHUB_TOKEN", "hidden")

    assert "hidden" not in git(tmp_path, "-c", "alias.env=!env", "env")
    with pytest.raises(GitFailed, match="fatal"):
        git(tmp_path, "rev-parse", "--verify", "none")


@given(st.text(st.characters(exclude_characters="\0"), max_size=80))
def test_read_tree_then_encode_gives_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    root = tmp_path_factory.mktemp("tree")
    raw = text.encode("utf-8", "surrogatepass")
    (root / "a.md").write_bytes(raw)

    texts = read_tree(root, Config()).texts

    assert "a.md" not in texts or texts["a.md"].encode() == raw
