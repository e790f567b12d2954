"""The checked-out context repository as the bot sees it: texts, components, history."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from bot.records.finding import RepoQuote
from bot.records.report import Skipped
from context_repo_schema.component import Component
from context_repo_schema.config import Authority

_EVERYWHERE = frozenset(("skill.md", "readme.md", "index.md", "agents.md", "claude.md"))


class Commit(msgspec.Struct, frozen=True):
    """One commit as far as authority needs it; `date` is RFC 3339."""

    sha: str
    date: str
    author: str
    message: str
    files: int


class ContextRepo(msgspec.Struct, frozen=True):
    """Everything that was read, at one commit.

    `texts` maps POSIX paths to decoded text with every byte kept (a byte order mark and CRLF
    stay in the string, so encoding it again gives the file). `history` maps a path to its
    commits, newest first; empty where there is no history to read. `aliases` maps folders and
    files as sessions name them to ours: from the configuration, and symbolic links to targets.
    `authority` is what the configuration says of which source outranks which.
    """

    root: Path
    commit: str | None
    components: tuple[Component, ...]
    texts: Mapping[str, str]
    history: Mapping[str, tuple[Commit, ...]]
    skipped: tuple[Skipped, ...] = ()
    aliases: Mapping[str, str] = {}
    authority: Authority = Authority()

    def component(self, path: str) -> Component | None:
        """The component at that exact path, or None."""
        return next((c for c in self.components if c.path == path), None)

    def resolve(self, path: str) -> str | None:
        """The repository path that a session's path means: exact, by alias, or by unique suffix.

        Leading folders of the session's path are dropped until some files end with the rest;
        None where no file or more than one does.
        """
        wanted = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
        exact = "/".join(wanted)
        if exact in self.texts:
            return exact
        for said, ours in self.aliases.items():
            head = said.strip("/")
            moved = f"{ours.rstrip('/')}{exact.removeprefix(head)}".lstrip("/")
            if f"{exact}/".startswith(f"{head}/") and moved in self.texts:
                return moved
        # By its name alone a file is known only where the name says which it is.
        named = not wanted or wanted[-1].casefold() not in _EVERYWHERE
        for start in range(len(wanted) if named or len(wanted) == 1 else len(wanted) - 1):
            tail = "/".join(wanted[start:])
            found = [p for p in self.texts if p == tail or p.endswith("/" + tail)]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def quote(self, path: str, text: str) -> RepoQuote | None:
        """`text` as a quote of that file with its line, or None where it does not stand there."""
        start = self.texts.get(path, "").find(text)
        if start < 0 or not text:
            return None
        return RepoQuote(path, self.texts[path].count("\n", 0, start) + 1, text)
