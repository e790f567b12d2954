"""What has been spent, and whether the next call may still be made: asked before each call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import msgspec

from bot.engines.llm.messages import CallFailed, Complete, Reply, Request, worst_case
from bot.records.report import Usage


class Prices(msgspec.Struct, frozen=True):
    """US dollars a token in and out; zero where nobody knows, as for a server of one's own."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The price of that many tokens."""
        return prompt_tokens * self.prompt + completion_tokens * self.completion


class Allowance(msgspec.Struct, frozen=True):
    """The most that one run may spend."""

    calls: int
    cost_usd: float
    seconds: float


class Meter:
    """Counts calls, tokens and dollars; safe to share between threads.

    Calls under way count with their worst case, so that calls side by side cannot overspend.
    """

    def __init__(
        self, allowance: Allowance, prices: Prices, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._allowance = allowance
        self._prices = prices
        self._clock = clock
        self._end = clock() + allowance.seconds
        self._lock = threading.Lock()
        self._started = 0
        self._reserved = 0.0
        self._usage = Usage()
        self._stopped = threading.Event()

    @property
    def usage(self) -> Usage:
        """What has been spent so far."""
        return self._usage

    def seconds_left(self) -> float:
        """How long calls may still take, at least a second."""
        return max(1.0, self._end - self._clock())

    def stop(self) -> None:
        """No call may be made from now on."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Sleep so long, or until calls are stopped."""
        self._stopped.wait(seconds)

    def reserve(self, request: Request) -> float:
        """Set the worst case of a call aside; returns it. Raises `CallFailed` of kind `budget`."""
        cost = self._prices.of(*worst_case(request))
        with self._lock:
            spent = self._usage.cost_usd + self._reserved
            if self._stopped.is_set():
                raise CallFailed("budget", "the run was stopped")
            if self._started >= self._allowance.calls:
                raise CallFailed("budget", f"max_llm_calls {self._allowance.calls} is reached")
            if spent + cost > self._allowance.cost_usd:
                raise CallFailed(
                    "budget", f"the next call could exceed max_cost_usd {self._allowance.cost_usd}"
                )
            if self._clock() >= self._end:
                raise CallFailed(
                    "budget", f"max_runtime_min {self._allowance.seconds / 60:g} is reached"
                )
            self._started += 1
            self._reserved += cost
        return cost

    def release(self, reserved: float) -> None:
        """Give back what was set aside."""
        with self._lock:
            self._reserved -= reserved

    def count(self, reply: Reply) -> None:
        """Add one answered call."""
        with self._lock:
            self._usage = self._usage.more(
                Usage(1, reply.prompt_tokens, reply.completion_tokens, reply.cost_usd)
            )


def tally() -> Meter:
    """A meter without limits, that only counts."""
    return Meter(Allowance(2**31, float("inf"), float("inf")), Prices())


def metered(inner: Complete, meter: Meter) -> Complete:
    """Calls that are checked before they are made, and counted once they are answered."""

    def complete(request: Request) -> Reply:
        reserved = meter.reserve(request)
        try:
            reply = inner(request)
            meter.count(reply)
        finally:
            meter.release(reserved)
        return reply

    return complete


def counted(inner: Complete, meter: Meter) -> Complete:
    """Calls that are only counted. A recording stands for a call that was paid for before; an
    answer out of the cache is free."""

    def complete(request: Request) -> Reply:
        reply = inner(request)
        if not reply.kept:
            meter.count(reply)
        return reply

    return complete


def at_most(inner: Complete, together: int) -> Complete:
    """No more than that many calls at once."""
    gate = threading.BoundedSemaphore(max(1, together))

    def complete(request: Request) -> Reply:
        with gate:
            return inner(request)

    return complete
