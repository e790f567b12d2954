"""The cells of a row of a Markdown table."""

from __future__ import annotations

import re

BAR = re.compile(r"(?<!\\)\|")


def between_bars(row: str) -> list[str]:
    """What stands between the bars, its blanks kept; the outer bars are dropped."""
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return BAR.split(inner)
