"""Another try where trouble passes by itself: rate limits, server errors, time-outs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bot.engines.llm.messages import CallFailed, Complete, Reply, Request

TRIES = 4
LONGEST_WAIT = 60.0


def retrying(
    inner: Complete,
    sleep: Callable[[float], None] = time.sleep,
    jitter: Callable[[], float] = random.random,
) -> Complete:
    """At most four tries, waiting as the server asks, else 1, 2, 4 seconds give or take a half.

    A server that asks for more than a minute is not waited for. Other failures come through.
    """

    def complete(request: Request) -> Reply:
        for attempt in range(TRIES - 1):
            try:
                return inner(request)
            except CallFailed as failure:
                if failure.trouble not in ("limited", "failing"):
                    raise
                wait = 2.0**attempt * (0.5 + jitter()) if failure.wait is None else failure.wait
                if wait > LONGEST_WAIT:
                    raise
                sleep(wait)
        return inner(request)

    return complete
