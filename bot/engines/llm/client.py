"""The pipeline from a request to an answer, put together from the options."""

from __future__ import annotations

import logging

import msgspec

from bot.engines.llm.fence import sealed, unnamed
from bot.engines.llm.hosts import allowed
from bot.engines.llm.messages import Complete
from bot.engines.llm.meter import Allowance, Meter, Prices, at_most, counted, metered, tally
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.retry import retrying
from bot.engines.llm.shelf import cached, recorded, replayed
from bot.errors import ConfigError

log = logging.getLogger("trace-bot")


class Client(msgspec.Struct, frozen=True):
    """The seam with the meter that watches it."""

    complete: Complete
    meter: Meter


def client(options: ModelOptions) -> Client:
    """A client that has asked nothing yet; the provider is imported at the first call.

    From the outside in: recorded, cached, another try, so many at once, metered, sealed, provider.
    Raises `ConfigError` where the model is missing or its server is not allowed.
    """
    if not options.model:
        raise ConfigError(
            "the model engine needs a model: --model PROVIDER/NAME, or llm.model in trace-bot.yaml"
        )
    allowance = Allowance(options.max_llm_calls, options.max_cost_usd, options.max_runtime_min * 60)
    if options.replay is not None:
        meter = Meter(allowance, Prices())
        return Client(counted(replayed(options.replay), meter), meter)
    api_base = allowed(options.api_base, options.hosts)
    return _live(options, api_base, allowance)


def _live(options: ModelOptions, api_base: str | None, allowance: Allowance) -> Client:
    from bot.engines.llm import provider

    provider.require_key(options.model, api_base)
    prices = provider.prices(options.model)
    if prices == Prices() and api_base is None:
        log.warning("no price is known of %s: max_cost_usd cannot be kept", options.model)
    meter = Meter(allowance, prices)

    def timeout() -> float:
        return min(options.timeout, meter.seconds_left())

    complete = sealed(unnamed(provider.provider(api_base, timeout, prices), options.names))
    # Whoever waits for a turn is asked for the budget when it comes, not before.
    complete = retrying(at_most(metered(complete, meter), options.concurrency), meter.wait)
    if options.cache is not None:
        complete = cached(complete, options.cache)
    if options.record is not None:
        complete = recorded(complete, options.record)
    return Client(complete, meter)


def scripted(answer: Complete) -> Client:
    """A client around a function of one's own, without limits: for tests and for libraries."""
    meter = tally()
    return Client(counted(answer, meter), meter)
