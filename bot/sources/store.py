"""What a trace store is to the rest: how to reach it, list its sessions, and read its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from bot.errors import AccessError
from bot.records.report import Skipped
from bot.sources.http import Http
from bot.sources.query import Query
from bot.sources.spans.clean import clean
from bot.sources.spans.span import NotReadable, Session, Span, Vote

Environment = Mapping[str, str]
Read = Callable[[Any], Iterator[Span | Vote]]
Wire = TypeVar("Wire")


class Door(msgspec.Struct, frozen=True):
    """Where a store is reached unless its `url` is configured, which project is meant unless one
    is configured, and the headers that open it."""

    url: str
    headers: Mapping[str, str] = {}
    project: str | None = None


class Store(msgspec.Struct, frozen=True):
    """One kind of store.

    `door` raises `AccessError` where the environment lacks a key; `pull` yields whole sessions;
    `read` gives what one row of the API or of an export holds, or raises `NotReadable`.
    """

    door: Callable[[Environment], Door]
    pull: Callable[[Http, Query], Iterator[Session | Skipped]]
    read: Read


def first(environment: Environment, *names: str) -> str | None:
    """The first of the variables that is set."""
    return next((environment[name].strip() for name in names if environment.get(name)), None)


def required(environment: Environment, *names: str) -> str:
    """As `first`. Raises `AccessError` that names the variable."""
    found = first(environment, *names)
    if found is None:
        raise AccessError(f"no key for the store: set {' or '.join(names)} in the environment")
    return found


def decoded(row: Any, kind: type[Wire]) -> Wire:
    """A row as the record that it should be. Raises `NotReadable` that names the field."""
    try:
        return msgspec.convert(row, kind, strict=False)
    except (msgspec.ValidationError, RecursionError) as problem:
        # The message names types and a place, and no value, since no record here lists any.
        raise NotReadable(str(problem)) from None


def listed(rows: Iterable[Any], kind: type[Wire]) -> Iterator[Wire | Skipped]:
    """The rows of a listing as records, and a `Skipped` for each that is none."""
    for number, row in enumerate(rows, 1):
        try:
            yield decoded(row, kind)
        except NotReadable as problem:
            yield Skipped(f"listed record {number}", f"the record was left out: {problem}")


def assembled(
    name: str, rows: Iterable[Any], read: Read, *, derived: bool = False
) -> Iterator[Session | Skipped]:
    """The session that rows of spans and votes make, and a `Skipped` for each that is neither."""
    spans: list[Span] = []
    votes: list[Vote] = []
    for row in rows:
        try:
            for item in read(row):
                if isinstance(item, Span):
                    spans.append(clean(item))
                else:
                    votes.append(item)
        except NotReadable as problem:
            yield Skipped(name, f"one of its records was left out: {problem}")
    if spans:
        yield Session(name, tuple(spans), tuple(votes), derived)
    else:
        yield Skipped(name, "its spans are gone from the store; was their retention over?")


def some(items: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    """The items in portions that fit into one address."""
    yield from (items[start : start + most] for start in range(0, len(items), most))
