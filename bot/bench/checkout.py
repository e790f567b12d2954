"""A benchmark's context repository as a real git checkout with its recorded history.

python -m bot.bench.checkout CONTEXT HISTORY DESTINATION
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.context.history import HistoryEntry, read_history
from bot.errors import ConfigError
from context_repo_schema.git import GitHangs, GitMissing, run_git

UNRECORDED = HistoryEntry("2000-01-01T00:00:00Z", "trace-bot", "Add the context repository", ())
EMAIL = "noreply@example.invalid"
# Nothing of the person's own git configuration may reach the commits, or their ids would differ.
ISOLATED = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
SETTINGS = "[core]\n\tautocrlf = false\n\tfileMode = false\n"
# Outranks a .gitattributes of the context itself, so that every byte is committed as it stands.
ATTRIBUTES = "* -text -ident -filter\n"


def checkout(context: Path, history: Sequence[HistoryEntry], into: Path) -> str:
    """Copy `context` to `into`, commit it as `history` (oldest first) tells, and return HEAD's id.

    Files that no entry names go into the last commit. Only the final texts are recorded, so
    where a path is named more than once its earlier commits hold blank lines in its place. The
    same input gives the same commit ids everywhere. Raises `ConfigError` where `into` is in use,
    an entry names a file that is not there, or git refuses.
    """
    if into.exists() and any(into.iterdir()):
        raise ConfigError(f"{into} is not empty; name a new folder for the checkout")
    shutil.copytree(context, into, dirs_exist_ok=True)
    _git(into, "init", "--quiet", "--template=", "--object-format=sha1", "--initial-branch=main")
    with (into / ".git" / "config").open("a", encoding="ascii") as config:
        config.write(SETTINGS)
    attributes = into / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text(ATTRIBUTES, "ascii")
    entries = tuple(history) or (UNRECORDED,)
    last = {path: number for number, entry in enumerate(entries) for path in entry.paths}
    for number, entry in enumerate(entries):
        _stage(into, entry, number, last)
        if number == len(entries) - 1:
            _git(into, "add", "--force", "--all")
        _commit(into, entry)
    return _git(into, "rev-parse", "HEAD").strip()


def _stage(into: Path, entry: HistoryEntry, number: int, last: Mapping[str, int]) -> None:
    for path in entry.paths:
        if not (into / path).is_file():
            raise ConfigError(f"the history names {path}, which the context does not hold")
    final = [path for path in entry.paths if last[path] == number]
    early = [path for path in entry.paths if last[path] != number]
    if early:
        blob = _git(into, "hash-object", "-w", "--stdin", text="\n" * number).strip()
        rows = "".join(f"100644 {blob}\t{path}\0" for path in early)
        _git(into, "update-index", "--add", "-z", "--index-info", text=rows)
    if final:
        listed = ("--pathspec-from-file=-", "--pathspec-file-nul")
        _git(into, "--literal-pathspecs", "add", "--force", *listed, text="\0".join(final))


def _commit(into: Path, entry: HistoryEntry) -> None:
    try:
        moment = datetime.fromisoformat(entry.date)
    except ValueError as problem:
        raise ConfigError(f"{entry.date!r} is no RFC 3339 date ({entry.message!r})") from problem
    date = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
    who = {
        "GIT_AUTHOR_NAME": entry.author,
        "GIT_AUTHOR_EMAIL": EMAIL,
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": entry.author,
        "GIT_COMMITTER_EMAIL": EMAIL,
        "GIT_COMMITTER_DATE": date,
    }
    options = ("--quiet", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim")
    _git(into, "commit", *options, "--file=-", text=entry.message, more=who)


def _git(into: Path, *arguments: str, text: str = "", more: Mapping[str, str] | None = None) -> str:
    try:
        done = run_git(into, arguments, os.environ, ISOLATED | dict(more or {}), text.encode())
    except (GitMissing, GitHangs) as error:
        raise ConfigError(f"{into}: {error}") from error
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()
        raise ConfigError(f"git {arguments[0]} failed in {into}: {reason}")
    return done.stdout.decode()


if __name__ == "__main__":
    checkout(Path(sys.argv[1]), read_history(Path(sys.argv[2])), Path(sys.argv[3]))
