"""The moment that `--since` names."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from bot.errors import ConfigError

SPAN = re.compile(r"(\d+)([mhdw])")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment(text: str, present: datetime) -> datetime:
    """`24h`, `7d` or `2w` before the present, or a date or time as RFC 3339 (else UTC)."""
    try:
        if span := SPAN.fullmatch(text.strip()):
            return present - timedelta(**{UNITS[span[2]]: int(span[1])})
        named = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError) as problem:
        raise ConfigError(f"--since {text!r} is no time; write 24h, 7d or 2026-01-31") from problem
    return named if named.tzinfo else named.replace(tzinfo=UTC)
