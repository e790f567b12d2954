"""Which format files are in: the readers themselves say what they can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from bot.errors import SourceError
from bot.records.trajectory import Trajectory
from bot.sources.bytes import STDIN
from bot.sources.exports import sessions
from bot.sources.store import Store
from bot.sources.table import FORMATS, STORES, Convert

ENOUGH = 5
LARGEST = 32 * 1024 * 1024
# These read a talk wherever there is one, so a reader that finds as much goes first.
GENERAL = ("openai-chat", "swe-agent", "langchain", "chat")


def format_of(path: str) -> str | None:
    """The format whose reader finds the most steps in the first sessions below a path.

    None where no reader takes it, and for stdin and what is too much to be read so often.
    """
    if path == STDIN or _size(Path(path)) > LARGEST:
        return None
    found = {name: _steps(read, path) for name, read in _readers().items()}
    best = max(found, key=lambda name: (found[name], name not in GENERAL, -_place(name)))
    return best if found[best] else None


def _readers() -> Mapping[str, Convert]:
    return {**FORMATS, **{name: _exports(store) for name, store in STORES.items()}}


def _exports(store: Store) -> Convert:
    return lambda path: sessions(path, store.read)


def _steps(read: Convert, path: str) -> int:
    try:
        read_so_far = islice(read(path), ENOUGH)
        return sum(len(item.nodes) for item in read_so_far if isinstance(item, Trajectory))
    except SourceError:
        return 0


def _place(name: str) -> int:
    return GENERAL.index(name) if name in GENERAL else 0


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    places = path.rglob("*") if path.is_dir() else (path,)
    return (place for place in places if place.is_file())
