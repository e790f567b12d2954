"""What a report says of itself, read from a data file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


def about(name: str, slots: Mapping[str, str] | None = None) -> str:
    """The paragraph of that name, its slots filled."""
    found = _file()[name].strip()
    for slot, value in (slots or {}).items():
        found = found.replace(f"{{{slot}}}", value)
    return found


@cache
def _file() -> Mapping[str, str]:
    place = resources.files("bot.bench") / "about.toml"
    return tomllib.loads(place.read_text("utf-8"))
