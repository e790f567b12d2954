"""Git as a forge needs it: one commit made beside the working tree, and pushed in one step.

The push is a compare-and-swap: the branch goes from the expected commit to ours, or nothing
happens. It never stands at its base, so a pull request never has zero commits.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bot.defang import log_line
from bot.errors import AccessError, ConfigError, GitHubError
from bot.forges.environment import Access
from bot.records.change import FileChange
from context_repo_schema.git import GitHangs, GitMissing, run_git

NO_FILE = "0" * 40
# What git says after a 401, by version and by whether it may ask.
UNKNOWN_TOKEN = ("401", "authentication failed", "could not read username", "invalid username")
# No hooks, no clean-up beside the work, no prompts, and answers in one language.
FLAGS = ("-c", f"core.hooksPath={os.devnull}", "-c", "gc.auto=0")
QUIET = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8"}


class Refused(msgspec.Struct, frozen=True):
    """Why a push did not happen though the server was reached: the branch is not as expected."""

    reason: str


class Commit(msgspec.Struct, frozen=True):
    """A commit to be made: its parent, its message, who makes it and when (RFC 3339)."""

    parent: str
    message: str
    login: str
    date: str


class Checkout:
    """A checked-out repository. Its working tree and index are never touched."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self._root = root
        self._environment = environment

    def require(self, commit: str) -> None:
        """Raises `ConfigError` where this is no clean git checkout of that commit."""
        inside = self._git("rev-parse", "--is-inside-work-tree")
        if inside.returncode:
            raise ConfigError(f"{self._root}: not a git checkout; publish from one")
        head = self._git("rev-parse", "--verify", "HEAD").stdout.strip()
        if head != commit:
            raise ConfigError(
                f"{self._root}: the checkout is at {head[:12] or 'no commit'}, the plan was made "
                f"at {commit[:12]}; check out that commit (`ref:` of actions/checkout)"
            )
        if self._git("status", "--porcelain", "--untracked-files=no").stdout.strip():
            raise ConfigError(f"{self._root}: files were changed; publish from a clean checkout")

    def remote(self) -> str:
        """The address that the checkout came from, or nothing."""
        return self._git("config", "--get", "remote.origin.url").stdout.strip()

    def commit(self, commit: Commit, files: tuple[FileChange, ...]) -> str:
        """Makes the commit and returns its id: the same for the same plan."""
        with tempfile.TemporaryDirectory(prefix="trace-bot-") as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self._must("read-tree", commit.parent, more=index)
            self._must("update-index", "-z", "--index-info", more=index, given=self._entries(files))
            tree = self._must("write-tree", "--missing-ok", more=index)
        person = {"NAME": commit.login, "EMAIL": f"{commit.login}@users.noreply.github.com"}
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (person | {"DATE": commit.date}).items()
        }
        given = commit.message.encode()
        return self._must("commit-tree", tree, "-p", commit.parent, more=who, given=given)

    def push(
        self, sha: str, branch: str, expected: str | None, url: str, access: Access
    ) -> Refused | None:
        """Moves the branch from `expected` (None: it must not exist) to `sha`, in one step.

        Returns why the server's branch is not as expected. Raises `AccessError` and `ConfigError`
        for what a person has to mend, `GitHubError` where the server failed.
        """
        ref = f"refs/heads/{branch}"
        pushed = self._git(
            "push",
            "--porcelain",
            "--no-verify",
            "--no-follow-tags",
            f"--force-with-lease={ref}:{expected or ''}",
            url,
            f"{sha}:{ref}",
            more=_authorised(access, url),
        )
        if pushed.returncode == 0:
            return None
        said = pushed.stdout + pushed.stderr
        # Git repeats these, and a port, a repository or a hash may read like a reason.
        for named in (url, branch, sha):
            said = said.replace(named, "…")
        return _judged(said, branch, access.variable)

    def _entries(self, files: tuple[FileChange, ...]) -> bytes:
        """The changed files as git's index takes them; a file without text goes."""
        rows = []
        for file in files:
            if file.new_text is None:
                rows.append(f"0 {NO_FILE}\t{file.path}\0")
            else:
                blob = self._must("hash-object", "-w", "--stdin", given=file.new_text.encode())
                rows.append(f"100644 {blob}\t{file.path}\0")
        return "".join(rows).encode()

    def _must(
        self, *arguments: str, more: Mapping[str, str] | None = None, given: bytes = b""
    ) -> str:
        done = self._git(*arguments, more=more, given=given)
        if done.returncode:
            said = log_line(done.stderr)[:300]
            raise ConfigError(f"{self._root}: `git {arguments[0]}` failed: {said}")
        return done.stdout.strip()

    def _git(
        self, *arguments: str, more: Mapping[str, str] | None = None, given: bytes = b""
    ) -> subprocess.CompletedProcess[str]:
        """Runs git without hooks, prompts, or anything else of the environment."""
        seen = QUIET | dict(more or {})
        try:
            done = run_git(self._root, (*FLAGS, *arguments), self._environment, seen, given)
        except GitMissing as error:
            raise ConfigError(str(error)) from error
        except GitHangs as error:
            raise GitHubError(f"`git {arguments[0]}`: {error}") from error
        out, err = (part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
        return subprocess.CompletedProcess([], done.returncode, out, err)


def _authorised(access: Access, url: str) -> dict[str, str]:
    """The token as configuration that lives in the environment of one process only.

    It is tied to the one address, no redirect is followed, and no stored credential is used.
    """
    basic = base64.b64encode(f"x-access-token:{access.token}".encode()).decode()
    pairs = (
        # An empty value drops what a checkout action may have left in .git/config.
        (f"http.{url}.extraHeader", ""),
        (f"http.{url}.extraHeader", f"Authorization: Basic {basic}"),
        ("http.followRedirects", "false"),
        ("credential.helper", ""),
    )
    config = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for at, (key, value) in enumerate(pairs):
        config |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return config


def _judged(said: str, branch: str, variable: str) -> Refused:
    """What a failed push means; servers put their reasons into words only."""
    low, prefix = said.lower(), branch.split("/", maxsplit=1)[0]
    moved = ("stale info", "already exists", "fetch first", "but expected")
    if any(sign in low for sign in moved):
        return Refused("the branch moved in the meantime")
    if "signature" in low:
        raise AccessError(
            f"E-UNSIGNED: the repository takes signed commits only, and {branch} would have one "
            "without; exempt the prefix from that rule"
        )
    if re.search(r"gh0\d\d|rule violations|protected branch|hook declined", low):
        rule = log_line(said)[:300]
        raise AccessError(f"E-RULESET: a rule of the repository forbids {branch}: {rule}")
    if "cannot lock ref" in low or "directory file conflict" in low or "refname conflict" in low:
        raise ConfigError(
            f"E-PREFIX: a branch stands in the way of {branch}; remove it, or set `branch_prefix` "
            f"in trace-bot.yaml to something else than `{prefix}`"
        )
    if any(sign in low for sign in UNKNOWN_TOKEN):
        raise AccessError(
            f"GitHub refused the token when asked to push {branch}: it is wrong or expired; "
            f"set {variable} anew"
        )
    if any(sign in low for sign in ("403", "permission", "not found")):
        raise AccessError(
            f"the token may not push {branch}: give the job `permissions: contents: write`"
        )
    raise GitHubError(f"pushing {branch} failed: {log_line(said)[-300:]}")
