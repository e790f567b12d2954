"""Where a forge works: the checkout, the settings, the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from bot.context.repo import ContextRepo
from bot.settings import Settings
from bot.utc import present


class Site(msgspec.Struct, frozen=True):
    """What every forge is made from; each reads of it what it needs.

    `out` is the folder of a dry run. `single_job` says that analysis and publishing share this
    process, so that keys of both may stand in its environment. `clock` says what time it is.
    """

    repo: ContextRepo
    settings: Settings
    environment: Mapping[str, str] = {}
    out: Path = Path("trace-bot-out")
    single_job: bool = False
    clock: Callable[[], datetime] = present
