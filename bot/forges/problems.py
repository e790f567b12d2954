"""A configuration that cannot be read, told on the dashboard: all that can be done then."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from bot.context.repo import ContextRepo
from bot.defang import cell
from bot.errors import ConfigError, TraceBotError
from bot.forges.board import find_board
from bot.forges.client import ask
from bot.forges.hub import Hub, visit
from bot.forges.site import Site
from bot.lifecycle import dashboard
from bot.lifecycle.dashboard import Board, Row
from bot.settings import settings_of
from bot.utc import present
from context_repo_schema.config import Config

log = logging.getLogger("trace-bot")
MOST, LONGEST = 20, 400


def tell(
    root: Path,
    environment: Mapping[str, str],
    problem: ConfigError,
    clock: Callable[[], datetime] = present,
) -> None:
    """Each problem as a line of the dashboard. That it cannot be told is a warning only: the
    problem itself is what ends the run."""
    here = ContextRepo(root, None, (), {}, {})
    try:
        _write(visit(Site(here, settings_of(Config()), environment, clock=clock)), problem)
    except TraceBotError as failure:
        log.warning("the dashboard does not tell of this: %s", failure)


def _write(hub: Hub, problem: ConfigError) -> None:
    lines = [cell(line, LONGEST) for line in str(problem).splitlines()[:MOST]]
    found = find_board(hub)
    if found.issue is None:
        board = Board("Nothing was done.", problems=tuple(map(Row, lines)))
        text = dashboard.render(board, hub.now)
        ask("open the dashboard", lambda: hub.repo.create_issue(dashboard.TITLE, body=text))
        return
    issue = found.issue
    body = dashboard.with_problems(issue.body or "", lines)
    if issue.state == "open" and body != issue.body:
        ask("write the dashboard", lambda: issue.edit(body=body))
