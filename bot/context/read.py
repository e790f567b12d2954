"""Reads a checkout: every text, the components among them, and their history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.context.history import HistoryEntry, by_path, git_history, is_shallow
from bot.context.repo import ContextRepo
from bot.errors import ConfigError
from bot.records.report import Skipped
from bot.settings import load_settings
from context_repo_schema.checkout import GitFailed, git, read_tree
from context_repo_schema.classify import components
from context_repo_schema.config import Config

SHALLOW = "a shallow clone: how old most files are is unknown; check out with fetch-depth: 0"

CHANGED = (
    "{} of the tracked files differ from commit {}, such as {}: what was read is the working "
    "tree; commit them first"
)


def read_repo(
    root: Path, config: Config | None = None, history: Sequence[HistoryEntry] | None = None
) -> ContextRepo:
    """The repository at `root` as it stands in the working tree.

    In a git checkout (`root/.git` exists) the tracked files and git's history, else all files.
    `config` None reads `trace-bot.yaml` at `root`; `history`, oldest first, takes the place of
    git's. Raises `ConfigError` where `root` is no folder, its configuration is wrong, or git
    refuses the checkout.
    """
    if not root.is_dir():
        raise ConfigError(f"{root}: no such folder; give the checkout of the context repository")
    settings = config or load_settings(root).config
    try:
        tree = read_tree(root, settings)
        commit, entries, notes = _git_facts(root) if history is None else (None, history, ())
    except GitFailed as error:
        raise ConfigError(f"{root}: git cannot read this checkout: {error}") from error
    links = {file.path: file.target for file in tree.unread if file.target is not None}
    return ContextRepo(
        root=root,
        commit=commit,
        components=components(tree.texts, settings),
        texts=tree.texts,
        history=by_path(entries),
        aliases={**links, **settings.aliases},
        authority=settings.authority,
        skipped=(*(Skipped(file.path, file.reason) for file in tree.unread), *notes),
    )


def _git_facts(root: Path) -> tuple[str | None, Sequence[HistoryEntry], tuple[Skipped, ...]]:
    if not (root / ".git").exists():
        return None, (), ()
    entries = git_history(root)
    notes = (Skipped(".git", SHALLOW),) if is_shallow(root) else ()
    commit = git(root, "rev-parse", "HEAD").strip() if entries else None
    return commit, entries, (*notes, *(_uncommitted(root, commit) if commit else ()))


def _uncommitted(root: Path, commit: str) -> Iterator[Skipped]:
    """What of the texts is not as the commit has it, so that quotes of them are not either."""
    named = git(root, "diff", "HEAD", "--name-only", "--no-ext-diff", "-z").split("\0")
    if changed := list(filter(None, named)):
        yield Skipped(".git", CHANGED.format(len(changed), commit[:12], changed[0]))
