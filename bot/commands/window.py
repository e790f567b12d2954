"""From when on trace stores are read where `--since` does not say it."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from bot.context.repo import ContextRepo
from bot.defang import log_line
from bot.forges.cursor import record
from bot.forges.site import Site
from bot.lifecycle.window import window
from bot.settings import load_settings
from bot.sources.joined import chosen
from bot.sources.opened import is_live
from bot.utc import present

log = logging.getLogger("trace-bot")


def store_window(
    args: argparse.Namespace, environment: Mapping[str, str], variables: Sequence[str]
) -> datetime | None:
    """The beginning of the window, which the log explains; None where it is asked for, where no
    store is read, or where no dashboard can be asked. `variables` may hold a token for that.

    Raises as `record` does.
    """
    if args.since:
        return None
    root = Path(args.context)
    settings = load_settings(root, Path(args.config) if args.config else None)
    configured = settings.config.sources
    names = chosen(args.trajectories, args.source, configured)
    if not any(name in configured and is_live(configured[name]) for name in names):
        return None
    if not any(environment.get(name) for name in variables):
        told = "stores are read from their beginning, since neither --since nor %s is set"
        log.info(told, variables[0])
        return None
    known = record(Site(ContextRepo(root, None, (), {}, {}), settings, environment), variables)
    found = window(known.until, settings.config.window_days, present(), known.missing)
    log.info("%s", log_line(found.why))
    return found.since
