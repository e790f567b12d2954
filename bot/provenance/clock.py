"""Times of day: `14:00`, "2 pm", "14 Uhr", "half past two", "las dos de la tarde", `午後2時`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bot.provenance.han_numbers import han_value
from bot.provenance.language import lower, named
from bot.provenance.lexicon import alternatives, table
from bot.provenance.number_words import vocabularies
from bot.provenance.text import TOKEN, Text
from bot.provenance.value import Value

_ZONE = r"(?:[ ]?(?P<zone>UTC|GMT|CES?T|E[SD]T|P[SD]T|BST|JST|IST|Z)(?![A-Za-z]))?"
_DIGITAL = re.compile(
    r"(?<![\w:.,])(?P<hour>[01]?\d|2[0-4])(?::|h|(?<=\d)\.(?=[0-5]\d (?:Uhr|h|uur)))"
    r"(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\d:])"
    rf"(?P<half>[ ]?(?i:[ap]\.?m\b\.?))?(?:[ ](?:Uhr|uur|h|hrs))?{_ZONE}(?![A-Za-z0-9])"
)
_CJK = re.compile(
    r"(?P<part>午前|午後|上午|下午|晚上|早上|凌晨|夜|朝)?(?P<hour>\d{1,2}|[一二三四五六七八九十两]{1,3})[時点點](?!間)"
    r"(?:(?P<minute>\d{1,2})分|(?P<half>半))?"
)
_LATE = frozenset({"午後", "下午", "晚上", "夜"})


def times(text: Text) -> Iterator[Value]:
    """Every time of day of the text; one that may be morning or afternoon keeps both readings."""
    for match in _DIGITAL.finditer(text.folded):
        half = (match.group("half") or "").strip()[:1].lower()
        hour, minute = int(match.group("hour")), int(match.group("minute"))
        yield _time(text, match, _readings(hour, minute, half or "24"), match.group("zone"))
    yield from _cjk(text)
    yield from _spans(text)
    for match in _spoken().finditer(text.folded):
        yield from _said(text, match)
    for word, canonical in (("noon", "12:00"), ("midnight", "00:00")):
        for match in _named(word).finditer(text.folded):
            yield text.value("time", canonical, match.span())


def _cjk(text: Text) -> Iterator[Value]:
    for match in _CJK.finditer(text.folded):
        raw = match.group("hour")
        hour = int(raw) if raw.isascii() else int(han_value(raw))
        minute = 30 if match.group("half") else int(match.group("minute") or 0)
        part = match.group("part")
        half = ("p" if part in _LATE else "a") if part else "24"
        if hour <= 24 and minute < 60:
            yield _time(text, match, _readings(hour, minute, half), None)


def _spans(text: Text) -> Iterator[Value]:
    """ "between 8 and 18 h": the unit behind the second hour is that of both."""
    for match in _span().finditer(text.folded):
        for name in ("from", "to"):
            hour, (start, end) = int(match[name]), match.span(name)
            if hour <= 24:
                span = (start, match.end() if name == "to" else end)
                yield text.value("time", f"{hour % 24:02}:00", span)


def _said(text: Text, match: re.Match[str]) -> Iterator[Value]:
    words = table("clock")
    raw = lower(match.group("hour"))
    hour = int(raw) if raw.isdigit() else named(_hours(), raw)
    if hour is None:
        return
    past, added = lower(match.group("past") or ""), lower(match.group("added") or "")
    shift = words["past"].get(past, 0) + words["and"].get(added, 0)
    part, clock = lower(match.group("part") or ""), match.group("clock")
    if not (past or added or part or clock) or (past == "half" and raw.isdigit() and not part):
        return
    if hour > 24 or (hour > 12 and part):
        return
    if added and shift % 15 and not (part or clock):
        return  # "once y veinte" may as well be eleven and twenty
    half = _half(part, hour)
    if lower(clock or "") in ("uhr", "hrs") and raw.isdigit() and not part:
        half = "24"
    total = hour * 60 + shift
    yield _time(text, match, _readings(total // 60, total % 60, half), match.group("zone"))


def _half(part: str, hour: int) -> str:
    """Which half of the day the words say: `a`, `p`, or `12` for either."""
    words = table("clock")
    if part in words["night"]:
        return "a" if hour < 6 or hour == 12 else "p"
    return "p" if part in words["afternoon"] else "a" if part else "12"


def _readings(hour: int, minute: int, half: str) -> str:
    """The times in 24 hours; `half` is `a`, `p`, `12` (either) or `24` (as written)."""
    hour %= 24
    if half == "24" or (half == "12" and (hour > 12 or hour == 0)):
        return f"{hour:02}:{minute:02}"
    morning, afternoon = f"{hour % 12:02}:{minute:02}", f"{hour % 12 + 12:02}:{minute:02}"
    return {"a": morning, "p": afternoon}.get(half, f"{morning}|{afternoon}")


def _time(text: Text, match: re.Match[str], canonical: str, zone: str | None) -> Value:
    unit = "UTC" if zone in ("Z", "GMT") else zone
    return text.value("time", canonical, match.span(), unit)


@cache
def _hours() -> dict[str, int]:
    listed = [v.atoms for v in vocabularies().values()]
    return {word: n for atoms in listed for word, n in atoms.items() if 1 <= n <= 12}


@cache
def _telling() -> frozenset[str]:
    """The words without one of which no time is spoken of: the longest of each phrase."""
    phrases = [phrase for listed in table("clock").values() for phrase in listed]
    return frozenset(max(TOKEN.findall(phrase), key=len, default="") for phrase in phrases)


@cache
def _spoken() -> re.Pattern[str]:
    words = table("clock")
    past, added = alternatives(list(words["past"])), alternatives(list(words["and"]))
    part = alternatives(words["morning"] + words["afternoon"] + words["night"])
    hours = alternatives(list(_hours()))
    return re.compile(
        rf"(?<![\w.,:])(?:(?P<past>(?i:{past}))[ ])?(?P<hour>\d{{1,2}}|(?i:{hours}))"
        rf"(?:[ ](?P<added>(?i:{added})))?(?:[ ]?(?P<clock>(?i:{alternatives(words['oclock'])})))?"
        rf"(?:[ ]?(?P<part>(?i:{part})))?(?![\w]){_ZONE}"
    )


@cache
def _named(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?i:{alternatives(table('clock')[word])})(?![A-Za-z])")


@cache
def _span() -> re.Pattern[str]:
    lead = alternatives(table("comparators")["between"])
    link = alternatives(table("comparators")["to"])
    return re.compile(
        rf"(?<![A-Za-zÀ-ɏ])(?i:{lead})[ ](?P<from>\d{{1,2}})[ ]?(?:{link})[ ]?(?P<to>\d{{1,2}})[ ]?"
        r"(?:h|hrs|Uhr|uur|o'clock)(?![A-Za-z])"
    )
