"""Scripted trouble: what goes wrong, at which call, and whether the call was performed by then."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Fault:
    """Trouble for the calls it matches, `times` times.

    Matched by `index` (place in `hub.log`, from 0), `method` and `path` (a regular expression
    searched in the path), as far as each is given. With `status`, that is the answer; with
    `drop`, the connection is closed without one. Either comes instead of the call, or, with
    `after`, once the call was performed. `act` runs before the call, to let somebody else do
    something between two calls of the client; a fault with only `act` disturbs nothing.
    """

    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    after: bool = False
    drop: bool = False
    act: Callable[[], None] | None = None
    index: int | None = None
    method: str | None = None
    path: str | None = None
    times: int = 1

    @property
    def harms(self) -> bool:
        return self.drop or self.status is not None


def take(faults: list[Fault], index: int, method: str, path: str) -> Fault | None:
    """The first fault for this call; it is spent, and gone after its last time."""
    for fault in faults:
        if (
            fault.index in (None, index)
            and fault.method in (None, method)
            and (fault.path is None or re.search(fault.path, path))
        ):
            fault.times -= 1
            if fault.times <= 0:
                faults.remove(fault)
            return fault
    return None
