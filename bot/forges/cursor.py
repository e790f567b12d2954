"""What the dashboard remembers of earlier runs, for whoever may only read: up to when they read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.errors import ConfigError, TraceBotError
from bot.forges.board import find_board
from bot.forges.environment import READ_TOKEN
from bot.forges.hub import visit
from bot.forges.site import Site
from bot.lifecycle.window import NO_RECORD


class Record(msgspec.Struct, frozen=True):
    """The moment as it stands on the dashboard, which is not yet believed; where it is empty,
    `missing` says why."""

    until: str = ""
    missing: str = NO_RECORD


def record(site: Site, variables: Sequence[str] = (READ_TOKEN,)) -> Record:
    """What is remembered, read with the token of the first of the variables that is set.

    That there is nothing, or that it cannot be read, ends no run. Raises `ConfigError` for a
    classic token in `READ_TOKEN` that says of itself that it may write.
    """
    if not site.settings.publishing.dashboard:
        return Record(missing="trace-bot.yaml says `dashboard: false`")
    try:
        hub = visit(site, variables)
    except TraceBotError as failure:
        return Record(missing=f"the dashboard could not be read: {failure}")
    if hub.access.variable == READ_TOKEN:
        _refuse_to_write(hub.repo.requester.oauth_scopes)
    try:
        found = find_board(hub)
    except TraceBotError as failure:
        return Record(missing=f"the dashboard could not be read: {failure}")
    if found.issue is None:
        return Record(missing=f"there is no dashboard by {', '.join(sorted(hub.logins))}")
    return Record(found.memory.read_up_to)


def _refuse_to_write(scopes: Sequence[str] | None) -> None:
    """Only classic tokens tell their scopes; what the others may do shows when they do it."""
    writing = [
        scope for scope in scopes or () if scope and not scope.startswith(("read:", "user:email"))
    ]
    if writing:
        raise ConfigError(
            f"the token in {READ_TOKEN} has the scope {', '.join(writing)}, with which it may "
            "write; what reads untrusted sessions needs a token with `issues: read` alone"
        )
