"""A configured source as a `Source`: a store behind its door, or files below a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from bot.errors import ConfigError
from bot.ports import Source as Port
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.canonical import CanonicalSource, older
from bot.sources.exports import sessions
from bot.sources.hosts import allowed
from bot.sources.http import Http
from bot.sources.live import LiveSource
from bot.sources.store import Environment
from bot.sources.table import FORMATS, SPANS, STORES, Convert
from context_repo_schema.config import Source

CANONICAL = "canonical"
NAMES = (CANONICAL, *FORMATS, *STORES)
SCHEMES = ("http", "https")


class FileSource:
    """Files of one format below a path."""

    def __init__(self, convert: Convert, path: str) -> None:
        self._convert = convert
        self._path = path

    def pull(self, since: datetime | None) -> Iterator[Trajectory | Skipped]:
        """Every session that started at or after `since`, and a `Skipped` for a bad record."""
        for item in self._convert(self._path):
            if isinstance(item, Skipped) or not older(item, since):
                yield item


def opened(name: str, source: Source, environment: Environment) -> Port:
    """The source that stands under a name in trace-bot.yaml. Keys come from the environment.

    Raises `ConfigError` for a type that is not known or lacks its path, or an address that no key
    may go to, and `AccessError` for a store whose key is not set.
    """
    if source.type not in NAMES:
        raise ConfigError(f"sources.{name}.type: there is no {source.type!r}; known are {known()}")
    store = STORES.get(source.type)
    if store is not None and is_live(source):
        door = store.door(environment)
        project = source.project or door.project
        http = Http(allowed(source.url, door, environment), door.headers)
        return LiveSource(name, store, http, msgspec.structs.replace(source, project=project))
    if source.path is None:
        raise ConfigError(f"sources.{name}.path is missing; name a file or a folder")
    if source.type == CANONICAL:
        return CanonicalSource((source.path,))
    return FileSource(_reader(source), source.path)


def is_live(source: Source) -> bool:
    """Whether a server is asked, and no files are read."""
    return source.type in STORES and source.path is None


def given(kind: str, place: str) -> Source:
    """The source that a command names: a kind, and a path or the address of a store.

    An address may end in the keys that `sources` has: `https://host?project=a&only_errors=true`.
    """
    parts = urlsplit(place)
    if parts.scheme not in SCHEMES:
        return Source(kind, path=place)
    hints = Source.__annotations__
    told: Mapping[str, Any] = {
        key: values if "tuple" in str(hints.get(key)) else values[-1]
        for key, values in parse_qs(parts.query, keep_blank_values=True).items()
    }
    address = parts._replace(query="", fragment="").geturl()
    try:
        return msgspec.convert({**told, "type": kind, "url": address}, Source, strict=False)
    except msgspec.ValidationError as problem:
        keys = ", ".join(hints)
        raise ConfigError(f"the store's address: {problem}; its keys are {keys}") from None


def known() -> str:
    """The kinds of source as a sentence lists them."""
    return ", ".join(sorted(NAMES))


def _reader(source: Source) -> Convert:
    read = SPANS.get(source.type)
    if read is None:
        return FORMATS[source.type]
    return lambda path: sessions(path, read, source.bad_votes, source.node_types)
