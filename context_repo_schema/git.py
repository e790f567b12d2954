"""Git as a child process that sees little: an allow-list of the environment, and no token."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# What git needs, to find itself, its configuration and a server; no GIT_* override reaches it.
ALLOWED = (
    *("PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "TMPDIR", "LANG"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY"),
)
# Seconds after which git is taken to hang.
TIMEOUT = 120


class GitMissing(Exception):
    """There is no git to call."""


class GitHangs(Exception):
    """Git did not end in time."""


def run_git(
    root: Path,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    more: Mapping[str, str] | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """What git said and how it ended, called in `root`.

    Of `environment` git sees what `ALLOWED` names, `more` as it stands. Raises `GitMissing` and
    `GitHangs` with a sentence that says so.
    """
    seen = {name: environment[name] for name in ALLOWED if name in environment}
    try:
        return subprocess.run(
            ("git", *arguments),
            cwd=root,
            env=seen | dict(more or {}),
            input=given,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except FileNotFoundError as error:
        raise GitMissing("git is not installed or not on PATH; install it") from error
    except subprocess.TimeoutExpired as error:
        raise GitHangs(f"git did not end within {TIMEOUT} s; look what holds it up") from error
