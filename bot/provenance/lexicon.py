"""The word tables beside this module, read once, as plain data."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec


@cache
def table(name: str) -> Any:
    """The decoded JSON of `data/<name>.json`."""
    return msgspec.json.decode(
        Path(__file__).with_name("data").joinpath(f"{name}.json").read_bytes()
    )


def alternatives(words: list[str] | tuple[str, ...]) -> str:
    """The words as one regular expression, longest first so that the longest wins."""
    import re

    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda w: (-len(w), w)))
