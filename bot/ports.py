"""The three seams to the outside world: where sessions come from, who judges, where changes go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.context.repo import ContextRepo
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Case, Segment, Signal
from bot.records.plan import Plan, Publication
from bot.records.report import Skipped, Usage
from bot.records.trajectory import Trajectory


class Source(Protocol):
    """Yields sessions one at a time. A bad record is yielded as `Skipped` and is never fatal
    alone; only a source that cannot be read at all raises `SourceError`."""

    def pull(self, since: datetime | None) -> Iterator[Trajectory | Skipped]: ...


class Engine(Protocol):
    """Judges. It may claim anything: the stages check every quote, category, path and edit.

    `None` means that the engine abstains. One session's failure may raise; the run isolates it.
    """

    name: str

    def signals(self, trajectory: Trajectory, segment: Segment) -> tuple[Signal, ...]: ...

    def attribute(self, case: Case, repo: ContextRepo) -> Attribution | None: ...

    def recommend(
        self, case: Case, attribution: Attribution, repo: ContextRepo
    ) -> Recommendation | None: ...

    def usage(self) -> Usage:
        """What has been spent so far in all."""
        ...


@runtime_checkable
class SideBySide(Protocol):
    """What an engine adds that waits for a server: `together` sessions at once, each judged by an
    engine `apart` that tells its own usage, while limits hold for all of them."""

    @property
    def together(self) -> int: ...

    def apart(self) -> Engine: ...

    def stop(self) -> None:
        """Nothing more is asked; calls under way come to their end."""
        ...


class Forge(Protocol):
    """Where changes go. Publishing the same plan twice changes nothing the second time, and an
    interrupted publication is completed by the next one."""

    def publish(self, plan: Plan) -> Publication: ...
