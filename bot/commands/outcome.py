"""What a command gives back."""

from __future__ import annotations

import msgspec

# Some sessions or some pull requests failed, and the rest was done.
SOME_FAILED = 8
# Something was found, where the caller asked to fail on that.
FINDINGS = 10


class Outcome(msgspec.Struct, frozen=True):
    """The text for stdout and the exit code (the list stands in `bot.errors`)."""

    text: str = ""
    exit_code: int = 0
