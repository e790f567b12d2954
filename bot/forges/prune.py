"""Branches of ours that nobody needs any more."""

from __future__ import annotations

from bot.forges.client import find
from bot.forges.hub import Hub
from bot.forges.reading import Snapshot
from bot.lifecycle.facts import Pull


def prune(hub: Hub, read: Snapshot) -> None:
    """Deletes the branch of every pull request that is over, if it holds only what we put there,
    or what was merged, and no open one uses it."""
    used = {pull.branch for pull in read.present.pulls if pull.state == "open"}
    for pull in read.present.pulls:
        if pull.branch in used or read.branches.get(pull.branch) != pull.head:
            continue
        if _is_over(pull):
            _delete(hub, pull)


def _is_over(pull: Pull) -> bool:
    return pull.state == "merged" or (pull.state == "closed" and pull.is_ours_alone)


def _delete(hub: Hub, pull: Pull) -> None:
    ref = find("read a branch", lambda: hub.repo.get_git_ref(f"heads/{pull.branch}"))
    if ref is not None and ref.object.sha == pull.head:
        find(f"delete the branch {pull.branch}", ref.delete)
