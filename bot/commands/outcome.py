"""What a command gives back."""

from __future__ import annotations

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """The text for stdout and the exit code (the list stands in `bot.errors`)."""

    text: str = ""
    exit_code: int = 0
