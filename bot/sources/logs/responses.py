"""Responses that belong together: each names the one before it, or the conversation that it is in.

The input of such a response holds what is new alone, so that a session is the whole chain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from bot.sources.logs.json_files import Record

BEFORE = "previous_response_id"


class Chain(msgspec.Struct, frozen=True):
    """The responses of one session, the first one first. `fork` is empty, or where an earlier
    response was gone on from several times, the first response that this way does not share with
    the one recorded before it: a name that stays however the ways go on."""

    records: tuple[Record, ...]
    fork: str = ""

    @property
    def whole(self) -> Record:
        """The place of the first, and what was mended in any."""
        notes: Counter[str] = Counter()
        for record in self.records:
            notes.update(record.notes)
        first = self.records[0].value
        notes["earlier_responses_missing"] = int(
            isinstance(first, dict) and bool(first.get(BEFORE))
        )
        kept = {name: count for name, count in notes.items() if count}
        return msgspec.structs.replace(self.records[0], notes=kept)


def chains(records: Sequence[Record]) -> Iterator[Chain]:
    """Every way from a first response to a last one, in the order of the last ones. A response
    that was recorded twice counts once, as it was recorded last."""
    known = {_id(record, number): record for number, record in enumerate(records)}
    before = _before(known)
    goes_on = set(before.values())
    first: dict[str, str] = {}
    for name in known:
        if name in before:
            first.setdefault(before[name], name)
    seen: set[str] = set()
    # Responses that name one another in a circle have no last one.
    for name in (*(name for name in known if name not in goes_on), *known):
        if name in seen:
            continue
        way = _way(name, before)
        seen.update(way)
        steps = reversed(list(pairwise(way)))
        fork = next((then for one, then in steps if first[one] != then), "")
        yield Chain(tuple(known[one] for one in way), fork)


def _id(record: Record, number: int) -> str:
    told = record.value.get("id")
    return told if isinstance(told, str) and told else f"record {number}"


def _before(known: Mapping[str, Record]) -> dict[str, str]:
    """By response, the one before it, where that was recorded."""
    found: dict[str, str] = {}
    talks: dict[str, list[str]] = {}
    for name, record in known.items():
        earlier = record.value.get(BEFORE)
        if isinstance(earlier, str) and earlier in known and earlier != name:
            found[name] = earlier
        elif talk := conversation(record):
            talks.setdefault(talk, []).append(name)
    for names in talks.values():
        ordered = sorted(names, key=lambda name: _made(known[name]))
        found.update(zip(ordered[1:], ordered, strict=False))
    return found


def conversation(record: Record) -> str:
    """The id of the conversation that a response says it is in."""
    told = record.value.get("conversation")
    name = told.get("id") if isinstance(told, dict) else told
    return name if isinstance(name, str) else ""


def _made(record: Record) -> float:
    at = record.value.get("created_at")
    return float(at) if isinstance(at, int | float) else 0.0


def _way(name: str, before: Mapping[str, str]) -> list[str]:
    """The responses up to one, the first one first."""
    way = {name: None}
    while name in before and before[name] not in way:
        name = before[name]
        way[name] = None
    return list(way)[::-1]
