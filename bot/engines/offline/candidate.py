"""A hypothesis while it is being weighed."""

from __future__ import annotations

from typing import Literal

import msgspec

from bot.records.finding import FaultCategory, Operation

Shape = Literal["stale", "delete", "tool", "retrieval", "gap", "prompt", "sound"]

CATEGORY: dict[Shape, FaultCategory] = {
    "tool": "TOOL_PROMPT_ERROR",
    "retrieval": "RETRIEVAL_FAILURE",
    "gap": "KB_CONTENT_GAP",
    "prompt": "SYSTEM_PROMPT_GAP",
    "sound": "NONE",
}
OPERATION: dict[Shape, Operation] = {
    "stale": "UPDATE",
    "delete": "DELETE",
    "tool": "UPDATE",
    "retrieval": "UPDATE",
    "gap": "CREATE",
    "prompt": "CREATE",
    "sound": "NO_ACTION",
}


class Candidate(msgspec.Struct, frozen=True):
    """One explanation: `faulty` is the unit that misled, `truth` the unit that settles it.

    `node` is a position among the session's nodes, `round` one among the disputed rounds, `path`
    the file to change (None for no action). Units are numbers in the index, None for an absence
    or where only a user's word speaks.
    """

    shape: Shape
    path: str | None
    node: int
    round: int
    faulty: int | None = None
    truth: int | None = None
