"""Comments that are written once, however often a run is repeated."""

from __future__ import annotations

from bot.forges.client import ask
from bot.forges.hub import Hub


def say_once(hub: Hub, number: int, text: str, mark: str) -> None:
    """Comments, unless a comment of ours there holds `mark` already."""
    issue = ask("read an issue", lambda: hub.repo.get_issue(number))
    said = ask("read comments", lambda: list(issue.get_comments()))
    own = (c.body or "" for c in said if c.user and c.user.login.lower() in hub.logins)
    if not any(mark in body for body in own):
        ask(f"comment on no.{number}", lambda: issue.create_comment(text))
