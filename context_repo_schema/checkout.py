"""The files of a checkout as text: which there are, and why some cannot be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec
from pathspec import GitIgnoreSpec

from context_repo_schema.config import FILE_NAME, Config
from context_repo_schema.git import GitHangs, GitMissing, run_git

SYMLINK, GITLINK = "120000", "160000"
LFS_POINTER = "version https://git-lfs.github.com/spec/"
EXCLUDED = (
    ".git/",
    "node_modules/",
    ".venv/",
    "__pycache__/",
    ".github/workflows/",
    "*.lock",
    "package-lock.json",
    "pnpm-lock.yaml",
    f"/{FILE_NAME}",
)
# Reading takes no lock and starts no daemon.
QUIET = ("--no-optional-locks", "-c", "core.fsmonitor=false")


class GitFailed(Exception):
    """Git could not answer about this checkout; the text is the first line that git said."""


Kind = Literal[
    "binary", "encoding", "size", "link", "outside", "submodule", "pointer", "missing", "name"
]


class Unread(msgspec.Struct, frozen=True):
    """A file that was left out: what kind of file it is, and the reason in words.

    `target` is where a symbolic link inside the checkout leads.
    """

    path: str
    kind: Kind
    reason: str
    target: str | None = None


class Tree(msgspec.Struct, frozen=True):
    """What stands in a checkout: POSIX path to decoded text, every byte kept."""

    texts: Mapping[str, str]
    unread: tuple[Unread, ...] = ()


def read_tree(root: Path, config: Config) -> Tree:
    """Every text file under the configured roots, and the others with the reason.

    In a git checkout (`root/.git` exists) the tracked files, else all files. Nothing outside
    `root` is ever opened. Raises `GitFailed` where git refuses the checkout.
    """
    excluded = GitIgnoreSpec.from_lines([*EXCLUDED, *config.exclude])
    texts: dict[str, str] = {}
    unread: list[Unread] = []
    for path, mode in sorted(_listed(root)):
        if not in_roots(path, config.roots) or excluded.match_file(path):
            continue
        found = _read(root, path, mode, config.max_file_bytes)
        if isinstance(found, Unread):
            unread.append(found)
        else:
            texts[path] = found
    return Tree(texts, tuple(unread))


def in_roots(path: str, roots: tuple[str, ...]) -> bool:
    """Whether the POSIX path lies in one of the folders; `.` is the whole checkout."""
    return any(PurePosixPath(path).is_relative_to(PurePosixPath(root)) for root in roots)


def git(root: Path, *arguments: str) -> str:
    """What git prints about the checkout, as text; bytes that are not UTF-8 stay recoverable.

    Raises `GitFailed` where git is missing, refuses, or does not answer within two minutes.
    """
    try:
        done = run_git(root, (*QUIET, *arguments), os.environ)
    except (GitMissing, GitHangs) as error:
        raise GitFailed(str(error)) from error
    if done.returncode:
        # Behind the first line git gives hints, such as a command to copy.
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(said[0] if said else f"git ended with {done.returncode}")
    return done.stdout.decode("utf-8", "surrogateescape")


def _listed(root: Path) -> Iterator[tuple[str, str]]:
    """POSIX path and git mode (empty where there is no git) of each candidate, once."""
    if (root / ".git").exists():
        seen = set()
        for entry in git(root, "ls-files", "-z", "--stage").split("\0"):
            facts, _, path = entry.partition("\t")
            if path and path not in seen:  # an unmerged path is listed once a side
                seen.add(path)
                yield path, facts.split(" ", 1)[0]
        return
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in [*files, *links]:
            yield (Path(folder) / name).relative_to(root).as_posix(), ""


def _read(root: Path, path: str, mode: str, max_bytes: int) -> str | Unread:
    if not path.isprintable():  # nor is a byte that is not UTF-8
        return Unread(ascii(path), "name", "its name is not printable UTF-8; rename the file")
    if mode == GITLINK:
        return Unread(path, "submodule", "a submodule; its files are another repository's")
    place, top = root / path, root.resolve()
    if place.is_symlink() or mode == SYMLINK:
        return _link(top, place, path)
    if not place.resolve().is_relative_to(top):
        return Unread(path, "outside", "it lies outside the checkout, through a linked folder")
    return _decode(place, path, max_bytes)


def _link(top: Path, place: Path, path: str) -> Unread:
    try:
        target = place.resolve(strict=True)
    except (OSError, RuntimeError):  # a loop is a RuntimeError before Python 3.13
        return Unread(path, "missing", "a symbolic link that leads nowhere")
    if not target.is_relative_to(top):
        return Unread(path, "outside", "a symbolic link out of the checkout; it is not followed")
    shown = target.relative_to(top).as_posix()
    return Unread(path, "link", f"a symbolic link; {shown!r} is read instead", shown)


def _decode(place: Path, path: str, max_bytes: int) -> str | Unread:
    try:
        facts = place.lstat()
        if not stat.S_ISREG(facts.st_mode):
            return Unread(path, "binary", "it is no regular file")
        if facts.st_size > max_bytes:
            reason = f"{facts.st_size} bytes; max_file_bytes allows {max_bytes}"
            return Unread(path, "size", reason)
        raw = place.read_bytes()
    except FileNotFoundError:
        return Unread(path, "missing", "tracked by git but not in the working tree")
    except OSError as error:
        return Unread(path, "missing", f"it cannot be opened: {error.strerror}")
    return _text(path, raw)


def _text(path: str, raw: bytes) -> str | Unread:
    if b"\0" in raw:
        return Unread(path, "binary", "a binary file")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return Unread(path, "encoding", f"not UTF-8 (line {line}); save it as UTF-8")
    if text.startswith(LFS_POINTER):
        return Unread(path, "pointer", "a Git LFS pointer; check out with LFS to read it")
    return text
