"""Which store a key may be sent to: `url` may come from a file that others write."""

from __future__ import annotations

from urllib.parse import urlsplit

from bot.errors import ConfigError
from bot.sources.store import Door, Environment

VARIABLE = "TRACE_BOT_TRACE_HOSTS"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def allowed(url: str | None, door: Door, environment: Environment) -> str:
    """The address to ask: the configured one, or else the door's own.

    Raises `ConfigError` for a host that neither the environment nor the operator named, and for
    a key on its way to another machine without TLS.
    """
    address = url or door.url
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    listed = {name.strip().lower() for name in environment.get(VARIABLE, "").split(",")}
    own = (urlsplit(door.url).hostname or "").lower()
    if host in LOOPBACK:
        return address
    if host not in {own, *listed}:
        raise ConfigError(
            f"a source's `url` names {host}, which is not in {VARIABLE}; "
            f"allow it with {VARIABLE}={host}"
        )
    if door.headers and parts.scheme != "https":
        raise ConfigError(f"a source's `url` {host}: a key goes to another machine by https only")
    return address


def naming(environment: Environment, url: str | None) -> Environment:
    """The environment of an operator who named this address on the command line."""
    host = urlsplit(url).hostname if url else None
    return {**environment, VARIABLE: f"{environment.get(VARIABLE, '')},{host or ''}"}
