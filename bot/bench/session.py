"""What a check of a benchmark sees: one session with its label, and the suite around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from bot.bench.suite import Label, Suite
from bot.context.repo import ContextRepo
from bot.records.trajectory import Trajectory


class Session(msgspec.Struct, frozen=True):
    """One session, its label, its suite and the context that the agent had."""

    trajectory: Trajectory
    label: Label
    suite: Suite
    repo: ContextRepo


Check = Callable[[Session], Iterator[str]]
