"""What a person may ask for in a comment, and what it comes to. Pure: who may ask is checked by
the forge, since only GitHub knows that."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal, get_args

import msgspec

from bot.lifecycle.facts import Decided, Word

Verb = Literal["rebuild", "hold", "resume", "snooze", "ignore", "unignore", "why", "help"]
Scope = Literal["here", "finding", "file", "kind"]

LINE = re.compile(rf"/trace-bot (?P<verb>{'|'.join(get_args(Verb))})(?P<rest> .*)?")
DAYS = re.compile(r"(?P<days>[1-9][0-9]{0,2})d")
IGNORE = re.compile(
    r"(?:(?P<scope>file|kind)\b|finding (?P<finding>tb-[a-z2-7]{10})\b)?"
    r"(?: ?for (?P<days>[1-9][0-9]{0,2})d\b)?(?: ?because (?P<why>.{1,200}))?"
)
MOST_DAYS = 365

HELP = """\
Write one of these as the first line of a new comment; you need write access.

- `/trace-bot rebuild [--discard-edits]` makes the branch anew on its base
- `/trace-bot hold` and `/trace-bot resume`: leave this one alone, or no longer
- `/trace-bot snooze 30d`: leave it for so many days; closed meanwhile, it is not rejected
- `/trace-bot ignore [finding ID|file|kind] [for 90d] [because ...]` and `/trace-bot unignore`
- `/trace-bot why`: what this rests on"""


class Command(msgspec.Struct, frozen=True):
    """One command with its arguments; `finding` is set for that scope only."""

    verb: Verb
    scope: Scope = "here"
    finding: str = ""
    days: int | None = None
    why: str = ""
    discard: bool = False


class Said(msgspec.Struct, frozen=True):
    """An accepted command: where, by whom, when, and what stands there (findings, files, kind).

    `new` is one that this run has yet to answer.
    """

    command: Command
    number: int
    who: str
    when: datetime
    findings: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    kind: str = ""
    new: bool = False


def read(body: str) -> Command | str | None:
    """The command in a comment's first line that is not blank; a sentence where its arguments are
    wrong; None where there is no command (a quote or a fence begins with something else)."""
    first = next((row.rstrip() for row in body.replace("\r", "").split("\n") if row.strip()), "")
    found = LINE.fullmatch(first)
    if found is None:
        return None
    verb, rest = found["verb"], (found["rest"] or "").strip()
    if verb == "snooze":
        return _snooze(rest)
    if verb in ("ignore", "unignore"):
        return _ignore("ignore" if verb == "ignore" else "unignore", rest)
    if verb == "rebuild" and rest in ("", "--discard-edits"):
        return Command("rebuild", discard=bool(rest))
    if rest:
        return f"`{verb}` takes no such argument."
    return next(Command(known) for known in get_args(Verb) if known == verb)


def decided(words: Iterable[Said]) -> Decided:
    """What all accepted commands come to, the oldest first."""
    ignored: dict[str, Word] = {}
    snoozed: dict[str, datetime] = {}
    rebuild: dict[int, bool] = {}
    holds: dict[int, bool] = {}
    for said in sorted(words, key=lambda one: one.when):
        command = said.command
        if command.verb == "snooze":
            until = said.when + timedelta(days=command.days or 0)
            snoozed |= dict.fromkeys(said.findings, until)
        elif command.verb == "ignore":
            ignored |= dict.fromkeys(_names(said), _word(said))
        elif command.verb == "unignore":
            for name in _names(said):
                ignored.pop(name, None)
        elif command.verb == "rebuild" and said.new:
            rebuild[said.number] = command.discard
        elif command.verb in ("hold", "resume") and said.new:
            holds[said.number] = command.verb == "hold"
    return Decided(ignored=ignored, snoozed=snoozed, rebuild=rebuild, holds=holds)


def _snooze(rest: str) -> Command | str:
    days = DAYS.fullmatch(rest)
    if days is None or int(days["days"]) > MOST_DAYS:
        return "`snooze` takes a number of days from `1d` to `365d`."
    return Command("snooze", days=int(days["days"]))


def _ignore(verb: Literal["ignore", "unignore"], rest: str) -> Command | str:
    found = IGNORE.fullmatch(rest)
    days = int(found["days"]) if found and found["days"] else None
    if found is None or (days or 0) > MOST_DAYS:
        return f"`{verb}` takes `[finding ID|file|kind] [for 90d] [because a few words]`."
    scope: Scope = "finding" if found["finding"] else "here"
    if found["scope"]:
        scope = "file" if found["scope"] == "file" else "kind"
    return Command(verb, scope, found["finding"] or "", days, found["why"] or "")


def _names(said: Said) -> tuple[str, ...]:
    """The findings, files or kind that a command is about."""
    by_scope: dict[Scope, tuple[str, ...]] = {
        "here": said.findings,
        "finding": (said.command.finding,),
        "file": said.paths,
        "kind": (said.kind,) if said.kind else (),
    }
    return by_scope[said.command.scope]


def _word(said: Said) -> Word:
    days = said.command.days
    until = said.when + timedelta(days=days) if days else None
    return Word(said.who, said.when, said.command.why, until)
