"""The sources of one run as one source: files that were named, and configured sources by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain

from bot.errors import ConfigError
from bot.ports import Source as Port
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.canonical import CanonicalSource
from bot.sources.live import LiveSource
from bot.sources.opened import is_live, opened
from bot.sources.store import Environment
from context_repo_schema.config import Source


class Joined:
    """Several sources, one after the other. `covers` says that there are stores, and that all
    that are configured are among them."""

    def __init__(self, ports: Sequence[Port], *, covers: bool = False) -> None:
        self._ports = tuple(ports)
        self.covers = covers

    @property
    def repeated(self) -> list[Skipped]:
        """As far as was read, what files hold a second time."""
        files = [port for port in self._ports if isinstance(port, CanonicalSource)]
        return [item for port in files for item in port.repeated]

    @property
    def is_whole(self) -> bool:
        """Whether every configured store was read to its end."""
        stores = (port for port in self._ports if isinstance(port, LiveSource))
        return self.covers and all(store.is_whole for store in stores)

    def pull(
        self, since: datetime | None, window: datetime | None = None
    ) -> Iterator[Trajectory | Skipped]:
        """What all of them have since then. Where that is None, `window` holds for stores: a file
        may come later than what is in it, so that files are read whole.

        Each is asked before the first one is read to its end, so that a store that is not
        reached ends the run before anything was judged.
        """
        begun = (since or window if isinstance(port, LiveSource) else since for port in self._ports)
        return chain.from_iterable(
            [_begun(port.pull(start)) for port, start in zip(self._ports, begun, strict=True)]
        )


def joined(
    paths: Sequence[str],
    names: Sequence[str],
    configured: Mapping[str, Source],
    environment: Environment,
) -> Joined:
    """The files and the sources that were named; where nothing was, all that are configured.

    Raises `ConfigError` for a name that is not configured, or where there is nothing to read,
    and as `opened` does.
    """
    wanted = chosen(paths, names, configured)
    known = ", ".join(configured) or "none so far"
    for name in wanted:
        if name not in configured:
            raise ConfigError(f"there is no source {name!r} in trace-bot.yaml; it has: {known}")
    if not paths and not wanted:
        raise ConfigError(
            "no sessions were named: give --trajectories PATH, or list stores and files under "
            "`sources:` in trace-bot.yaml"
        )
    files = [CanonicalSource(paths)] if paths else []
    named = [opened(name, configured[name], environment) for name in wanted]
    stores = {name for name, source in configured.items() if is_live(source)}
    return Joined([*files, *named], covers=bool(stores) and stores <= {*wanted})


def chosen(
    paths: Sequence[str], names: Sequence[str], configured: Mapping[str, Source]
) -> tuple[str, ...]:
    """The names of the sources that are read: those that are given, else all without files."""
    return tuple(names or (() if paths else configured))


def _begun(items: Iterator[Trajectory | Skipped]) -> Iterator[Trajectory | Skipped]:
    first = next(items, None)
    return iter(()) if first is None else chain((first,), items)
