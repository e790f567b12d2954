"""Git sees what it needs of the environment, and trouble with git itself is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_repo_schema.git import GitMissing, run_git


def told(folder: Path) -> Path:
    """A git that tells its environment and its input stands alone on PATH."""
    spy = folder / "git"
    spy.write_text("#!/bin/sh\n/usr/bin/env\n/bin/cat\nexit 3\n")
    spy.chmod(0o755)
    return folder


def test_only_what_is_allowed_reaches_git(tmp_path: Path) -> None:
    environment = {
        "PATH": str(told(tmp_path)),
        "HOME": "/h",
        "GITHUB_TOKEN": "ghp_secret",
        "GIT_DIR": "/elsewhere",
    }
    done = run_git(tmp_path, ("status",), environment, {"GIT_AUTHOR_NAME": "dev"}, b"given")
    said = done.stdout.decode()
    assert done.returncode == 3
    assert {"HOME=/h", "GIT_AUTHOR_NAME=dev", "given"} <= set(said.splitlines())
    assert "ghp_secret" not in said
    assert "GIT_DIR" not in said


def test_where_there_is_no_git_a_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitMissing, match="install it"):
        run_git(tmp_path, ("status",), {"PATH": str(tmp_path)})
