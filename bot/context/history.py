"""Who changed which file when: from git, or from a list that a benchmark ships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bot.context.repo import Commit
from bot.errors import ConfigError
from context_repo_schema.checkout import git

MOST_COMMITS = 20_000
# Fields end with NUL, which no commit message can hold; a status letter is never this word.
HEADER = "commit"
FORMAT = f"%x00{HEADER}%x00%H%x00%cI%x00%aN%x00%B%x00"


class HistoryEntry(msgspec.Struct, frozen=True):
    """One commit and the paths that it changed; `date` is RFC 3339.

    `renamed` maps new paths to old ones. A path renamed without another change is not in `paths`.
    """

    date: str
    author: str
    message: str
    paths: tuple[str, ...]
    sha: str = ""
    renamed: dict[str, str] = {}


def read_history(path: Path) -> tuple[HistoryEntry, ...]:
    """The entries of a `history.jsonl`, oldest first. Raises `ConfigError` with file and line."""
    entries = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            entries.append(msgspec.json.decode(line, type=HistoryEntry))
        except msgspec.DecodeError as error:
            reason = f"{path}:{number}: {error}; each line holds date, author, message and paths"
            raise ConfigError(reason) from error
    return tuple(entries)


def git_history(root: Path) -> tuple[HistoryEntry, ...]:
    """The commits behind HEAD, oldest first; merges count by what they merged.

    In a shallow clone the oldest commits claim every file, so their paths are left out: how old
    those files are is then unknown. Empty before the first commit. Raises `GitFailed`.
    """
    if not git(root, "rev-list", "--all", "--max-count=1").strip():
        return ()
    listed = git(
        root,
        "log",
        "-z",
        "-M",
        "--name-status",
        "--no-show-signature",
        "--no-ext-diff",
        f"--max-count={MOST_COMMITS}",
        f"--format={FORMAT}",
    )
    roots = _shallow(root)
    found = [
        msgspec.structs.replace(entry, paths=(), renamed={}) if entry.sha in roots else entry
        for entry in _entries(iter(listed.split("\0")))
    ]
    return tuple(reversed(found))


def is_shallow(root: Path) -> bool:
    """Whether the clone was cut off, so that old commits are missing. Raises `GitFailed`."""
    return bool(_shallow(root))


def by_path(entries: Sequence[HistoryEntry]) -> Mapping[str, tuple[Commit, ...]]:
    """Each path's commits, newest first; a renamed file keeps those of its old name."""
    found: dict[str, list[Commit]] = {}
    for entry in entries:
        for new, old in entry.renamed.items():
            found[new] = list(found.get(old, []))
        made = Commit(entry.sha, entry.date, entry.author, entry.message, len(entry.paths))
        for path in entry.paths:
            found.setdefault(path, []).append(made)
    return {path: tuple(reversed(commits)) for path, commits in found.items()}


def _shallow(root: Path) -> frozenset[str]:
    if git(root, "rev-parse", "--is-shallow-repository").strip() != "true":
        return frozenset()
    place = root / git(root, "rev-parse", "--git-path", "shallow").strip()
    return frozenset(place.read_text("ascii").split()) if place.exists() else frozenset()


def _entries(tokens: Iterator[str]) -> Iterator[HistoryEntry]:
    """The commits in a stream of NUL-separated tokens: a header, then status and path pairs."""
    header: tuple[str, str, str, str] | None = None
    paths: list[str] = []
    renamed: dict[str, str] = {}
    for token in tokens:
        status = token.strip("\n")
        if status == HEADER:
            if header:
                yield _entry(header, paths, renamed)
            header = (next(tokens), next(tokens), next(tokens), next(tokens))
            paths, renamed = [], {}
        elif status.startswith(("R", "C")):
            old, new = next(tokens), next(tokens)
            renamed[new] = old
            if status[1:] != "100":
                paths.append(new)
        elif status:
            paths.append(next(tokens))
    if header:
        yield _entry(header, paths, renamed)


def _entry(
    header: tuple[str, str, str, str], paths: list[str], renamed: dict[str, str]
) -> HistoryEntry:
    sha, date, author, message = header
    return HistoryEntry(date, author, message.strip(), tuple(paths), sha, renamed)
