"""A pull request of ours that is over: who ended it, and what became of it in the base."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cache
from itertools import islice

from msgspec.structs import replace

from bot.forges.branch import content, text_at
from bot.forges.client import ask, find
from bot.forges.hub import Hub
from bot.forges.inspect import aware, listed
from bot.forges.pulls import Ours
from bot.lifecycle.facts import Closer, Pull
from bot.lifecycle.hunks import Hunk, holds, undone
from bot.lifecycle.traffic import moment
from bot.records.plan import Observed

COMMIT = re.compile(r"[0-9a-f]{7,64}")
MOST_COMMITS = 200

Contains = Callable[[str, str], bool]


def light(hub: Hub, ours: Ours) -> Pull:
    """The facts of one whose patch does not matter to this run: who ended it, and when."""
    facts = replace(listed(ours, None), closed_at=_ended(ours))
    if ours.state == "merged":
        return facts
    closer, login = _closer(hub, ours)
    return replace(facts, closer=closer, closed_by=login)


def over(hub: Hub, ours: Ours, observed: Iterable[Observed], contains: Contains) -> Pull:
    """The facts of a closed or merged one. `observed` are the sessions of this run; none of them
    is looked at where the pull request was not merged."""
    handle = ours.handle
    facts = listed(ours, content(hub, handle.head.sha, handle.base.sha))
    if ours.state == "closed":
        closer, login = _closer(hub, ours)
        return replace(facts, closer=closer, closed_by=login, closed_at=_ended(ours))
    sha = handle.merge_commit_sha or handle.head.sha
    reverted = _reverted(hub, facts, sha)
    fresh = frozenset(o.session for o in observed if _ran_with(hub, ours, o, contains))
    return replace(facts, closed_at=_ended(ours), reverted=reverted, fresh=fresh)


def ancestry(hub: Hub) -> Contains:
    """Whether a commit, as a session names it, contains another; each pair is asked once."""

    @cache
    def contains(older: str, newer: str) -> bool:
        if COMMIT.fullmatch(newer) is None:
            return False
        status = find("compare commits", lambda: hub.repo.compare(older, newer).status)
        return status in ("ahead", "identical")

    return contains


def _ended(ours: Ours) -> datetime:
    handle = ours.handle
    return aware(handle.merged_at or handle.closed_at or handle.created_at)


def _closer(hub: Hub, ours: Ours) -> tuple[Closer, str]:
    """Who closed it. What we end ourselves says so in its marker, so a person who shares our
    login is a person."""
    if ours.marker is not None and ours.marker.state == "obsolete":
        return "us", hub.login
    user = ask("read who closed it", lambda: hub.repo.get_issue(ours.number).closed_by)
    if user is None:
        return "person", "ghost"
    is_bot = user.type == "Bot" or user.login.endswith("[bot]")
    return ("bot" if is_bot else "person"), user.login


def _reverted(hub: Hub, facts: Pull, sha: str) -> bool:
    """The base is as it was before, in every place, or a commit says that it reverts."""
    by_path: dict[str, list[Hunk]] = {}
    for hunk in facts.hunks:
        by_path.setdefault(hunk.path, []).append(hunk)
    texts = {path: text_at(hub, path, hub.tip) for path in by_path}
    if all(holds(texts[path] or "", places) for path, places in by_path.items()):
        return False
    if by_path and all(undone(texts[path] or "", places) for path, places in by_path.items()):
        return True
    since = facts.touched_at
    messages = ask(
        "read commits",
        lambda: [
            commit.commit.message
            for commit in islice(hub.repo.get_commits(sha=hub.tip, since=since), MOST_COMMITS)
        ],
    )
    told = [f"This reverts commit {name}" for name in (sha, facts.head)]
    # What the button "Revert" writes.
    told.append(f"Reverts {hub.repo.full_name}#{facts.number}")
    return any(re.search(rf"^{re.escape(t)}\b", said, re.M) for said in messages for t in told)


def _ran_with(hub: Hub, ours: Ours, one: Observed, contains: Contains) -> bool:
    """Whether a session ran with what was merged: by the commit that it names, else by its time."""
    merged = ours.handle.merged_at
    if one.context_commit:
        return contains(ours.handle.merge_commit_sha or ours.handle.head.sha, one.context_commit)
    started = moment(one.started_at, hub.now)
    if merged is None or started is None:
        return False
    grace = timedelta(hours=hub.settings.lifecycle.deploy_grace_hours)
    return started >= aware(merged) + grace
