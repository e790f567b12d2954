"""The states of a pull request, and what each lets us do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from bot.lifecycle.facts import Pull

State = Literal[
    "managed",
    "held",
    "frozen",
    "contested",
    "rejected",
    "expired",
    "obsolete",
    "merged",
    "reverted",
]


class May(msgspec.Struct, frozen=True):
    """What we may do: write the whole island or its status line only, push, close."""

    body: Literal["island", "status", "nothing"]
    push: bool
    close: bool
    counts: bool


OVER: Final = May(body="nothing", push=False, close=False, counts=False)
RULES: Final[Mapping[State, May]] = {
    "managed": May(body="island", push=True, close=True, counts=True),
    "held": May(body="island", push=False, close=False, counts=True),
    "frozen": May(body="status", push=False, close=False, counts=True),
    "contested": May(body="island", push=False, close=False, counts=True),
    "rejected": OVER,
    "expired": OVER,
    "obsolete": OVER,
    "merged": OVER,
    "reverted": OVER,
}


def state_of(pull: Pull) -> State:
    """The state that the facts say: nothing is remembered elsewhere (T7)."""
    if pull.state == "merged":
        return "reverted" if pull.reverted else "merged"
    if pull.state == "closed":
        return _closed(pull)
    if not pull.is_ours_alone:
        return "frozen"
    if pull.held:
        return "held"
    return "contested" if pull.contested else "managed"


def _closed(pull: Pull) -> State:
    if pull.closer == "us":
        return "obsolete"
    return "expired" if pull.closer == "bot" else "rejected"
