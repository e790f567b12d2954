"""What every gate reads beside the change set, and the lines that a change adds and takes."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import msgspec

from bot.context.repo import ContextRepo
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import Limits

FRONTMATTER = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.S | re.M
)


class Inputs(msgspec.Struct, frozen=True):
    """The repository before the change, the limits, and what users and tools said.

    `spans` is None where the sessions are not at hand, as at publishing.
    """

    repo: ContextRepo
    limits: Limits
    spans: tuple[str, ...] | None = None


def added(file: FileChange) -> tuple[str, ...]:
    """The added lines of a diff without their `+`, in order."""
    return _lines(file.diff, "+")


def removed(file: FileChange) -> tuple[str, ...]:
    """The removed lines of a diff without their `-`, in order."""
    return _lines(file.diff, "-")


def all_added(change_set: ChangeSet) -> str:
    """Everything that a change set adds, as one text."""
    return "\n".join(line for file in change_set.files for line in added(file))


def frontmatter(text: str) -> str | None:
    """The YAML between the `---` lines at the start of a text, or None."""
    match = FRONTMATTER.match(text)
    return match["yaml"] if match else None


def suffix(path: str) -> str:
    """The file's extension in lower case, with its dot."""
    return PurePosixPath(path).suffix.lower()


def _lines(diff: str, sign: str) -> tuple[str, ...]:
    body = diff.split("\n")
    start = next((at for at, line in enumerate(body) if line.startswith("@@")), len(body))
    return tuple(line[1:] for line in body[start:] if line.startswith(sign))
