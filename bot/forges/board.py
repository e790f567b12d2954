"""The dashboard issue: found by its marker and its author, read, and written only if it changed."""

from __future__ import annotations

import msgspec
from github.Issue import Issue
from github.NamedUser import NamedUser

from bot.forges.client import Declined, ask
from bot.forges.hub import Hub
from bot.lifecycle import dashboard
from bot.lifecycle.dashboard import Board, Memory, Tick

CLOSED = "the dashboard was closed by a person and stays closed"
SWITCHED_OFF = "issues are switched off here, so that there is no dashboard"
GONE = 410


class Found(msgspec.Struct, frozen=True):
    """The dashboard as a run finds it. `issue` is None where there is none yet, `spare` are
    others of it that some race left behind."""

    issue: Issue | None = None
    spare: tuple[Issue, ...] = ()
    memory: Memory = Memory()
    ticks: tuple[Tick, ...] = ()

    @property
    def number(self) -> int | None:
        """The issue's number, where there is one."""
        return self.issue.number if self.issue else None


def find_board(hub: Hub) -> Found:
    """The dashboard issue and what it remembers; nothing where there is none, or where issues are
    switched off."""
    if not hub.settings.publishing.dashboard or not hub.repo.has_issues:
        return Found()
    issues = [issue for login in sorted(hub.logins) for issue in _by(hub, login)]
    ours = [(issue, read) for issue in issues if (read := dashboard.read(issue.body or ""))]
    if not ours:
        return Found()
    ours.sort(key=lambda found: found[0].number)
    issue, (memory, ticks) = ours[0]
    spare = tuple(other for other, _ in ours[1:] if other.state == "open")
    return Found(issue, spare, memory, ticks)


def write_board(hub: Hub, found: Found, board: Board, acted: frozenset[Tick]) -> str:
    """The dashboard is as `board` says afterwards. Returns a warning, or nothing.

    A box that was ticked since it was read keeps its tick, for the next run to see.
    """
    if found.issue is None:
        return _create(hub, board)
    for other in found.spare:
        _retire(other, found.issue.number)
    number = found.issue.number
    issue = ask("read the dashboard", lambda: hub.repo.get_issue(number))
    if issue.state == "closed":
        return CLOSED
    read = dashboard.read(issue.body or "")
    ticked = {tick for tick in (read[1] if read else ()) if tick not in acted}
    text = dashboard.render(board, hub.now, ticked)
    if not dashboard.is_same(issue.body or "", text, hub.now):
        ask("write the dashboard", lambda: issue.edit(body=text))
    return ""


def _create(hub: Hub, board: Board) -> str:
    text = dashboard.render(board, hub.now)
    try:
        ask("open the dashboard", lambda: hub.repo.create_issue(dashboard.TITLE, body=text))
    except Declined as refusal:
        return SWITCHED_OFF if refusal.status == GONE else str(refusal)
    return ""


def _retire(other: Issue, number: int) -> None:
    ask("point to the dashboard", lambda: other.create_comment(f"The dashboard is no.{number}."))
    ask("close a second dashboard", lambda: other.edit(state="closed"))


def _by(hub: Hub, login: str) -> list[Issue]:
    # The list is filtered by a user object, of which only the login is sent.
    user = NamedUser(hub.repo.requester, {}, {"login": login})
    listed = ask(
        "list issues", lambda: list(hub.repo.get_issues(state="all", creator=user, sort="created"))
    )
    # `pull_request` is absent from plain issues, and asking for it would cost a call for each.
    return [issue for issue in listed if "/pull/" not in issue.html_url]
