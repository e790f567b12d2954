"""Which server may be asked: `api_base` comes from a file that others write, so it is held back."""

from __future__ import annotations

from urllib.parse import urlsplit

from bot.engines.llm.options import HOSTS_VARIABLE
from bot.errors import ConfigError

FORM = "write it as https://HOST/v1"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def allowed(api_base: str | None, hosts: tuple[str, ...]) -> str | None:
    """`api_base` itself where the operator listed its host; None where there is none.

    Raises `ConfigError` for a host that is not listed, and for anything but https outside the
    machine itself.
    """
    if api_base is None:
        return None
    try:
        parts = urlsplit(api_base)
    except ValueError as problem:
        raise ConfigError(f"llm.api_base is no URL: {problem}; {FORM}") from problem
    host = parts.hostname
    if not host:
        raise ConfigError(f"llm.api_base has no host; {FORM}")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOOPBACK):
        raise ConfigError(f"llm.api_base {host}: only https is spoken to another machine")
    if parts.username is not None or parts.password is not None:
        raise ConfigError("llm.api_base holds a name or password; put keys in the environment")
    if host.lower() not in hosts:
        raise ConfigError(
            f"llm.api_base names {host}, which is not in {HOSTS_VARIABLE}; "
            f"allow it with {HOSTS_VARIABLE}={host} or drop api_base"
        )
    return api_base
