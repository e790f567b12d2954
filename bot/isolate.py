"""What breaks in one session or one unit does not end the run."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

import msgspec

from bot.errors import TraceBotError

T = TypeVar("T")
log = logging.getLogger("trace-bot")


class Broken(msgspec.Struct, frozen=True):
    """A bug that was met: the kind of the exception and the places, without its message."""

    reason: str


def isolated(what: str, call: Callable[[], T]) -> T | Broken:
    """The answer to a call, or how it broke. `what` completes "... broke: ".

    Expected failures of the outside world (`TraceBotError`) come through, since the next session
    or unit would meet them too.
    """
    try:
        return call()
    except TraceBotError:
        raise
    except Exception as failure:  # noqa: BLE001 - one broken session or unit must not end the run
        # The message may quote a session, so only the kind and the place are told.
        reason = f"{type(failure).__name__} in {_place(failure.__traceback__)}"
        log.warning("%s broke: %s", what, reason)
        return Broken(reason)


def _place(trace: TracebackType | None) -> str:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "unknown"
