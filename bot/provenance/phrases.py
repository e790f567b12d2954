"""Fixed forms that state a duration: "monthly", "quarterly", `PT15M`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.provenance.language import named
from bot.provenance.lexicon import alternatives, table
from bot.provenance.text import Text
from bot.provenance.value import Value

_ISO = re.compile(
    r"(?<![\w-])P(?=\d|T\d)(?:(?P<years>\d{1,4})Y)?(?:(?P<months>\d{1,4})M)?"
    r"(?:(?P<weeks>\d{1,4})W)?(?:(?P<days>\d{1,4})D)?"
    r"(?:T(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,9})S)?)?(?!\w)"
)
_SECONDS = {"weeks": 604800, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}


def phrases(text: Text) -> Iterator[Value]:
    """The phrases of `data/phrases.json` and ISO 8601 durations.

    How often is as long a duration as lies between.
    """
    if not text.lowered.isascii() or not text.words.isdisjoint(_durations()):
        for match in _pattern().finditer(text.folded):
            if (duration := named(_durations(), match.group())) is not None:
                canonical, unit = duration
                yield text.value("duration", canonical, match.span(), unit)
    if text.digits:
        yield from _iso_durations(text)


def _iso_durations(text: Text) -> Iterator[Value]:
    """Those of one family: `PT15M`, `P3D`, `P1Y6M`."""
    for match in _ISO.finditer(text.folded):
        parts = {unit: int(n) for unit, n in match.groupdict().items() if n}
        months = parts.pop("years", 0) * 12 + parts.pop("months", 0)
        seconds = sum(n * _SECONDS[unit] for unit, n in parts.items())
        if bool(months) != bool(seconds):
            unit = "month" if months else "s"
            yield text.value("duration", str(months or seconds), match.span(), unit)


@cache
def _durations() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for amount, words in table("phrases")["duration"].items():
        canonical, unit = amount.split()
        found |= dict.fromkeys(words, (canonical, unit))
    return found


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-zÀ-ɏ])(?i:{alternatives(list(_durations()))})(?![A-Za-zÀ-ɏ])")
