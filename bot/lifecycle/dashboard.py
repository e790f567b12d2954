"""The dashboard as a value: what an issue's body says, written and read back. Pure.

Its last line holds what later runs must know and what no pull request tells: ticked boxes that
were acted on, and the traffic that was seen since merges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from bot.identity.ids import short_hash

TITLE = "trace-bot dashboard"
BUDGET = 60_000
VERSION = 1

LINE = re.compile(r"<!-- trace-bot:dashboard:v(?P<version>[0-9]{1,4}) (?P<json>\{[^\n<>]*\}) -->")
BOX = re.compile(
    r"^- \[(?P<tick>[ xX])\] <!-- tb:(?P<action>[a-z-]{1,20})="
    r"(?P<name>all|tb-[a-z2-7]{10}|[0-9a-f]{12})@(?P<nonce>[0-9a-f]{8}) -->",
    re.M,
)
PROBLEMS = re.compile(r"\n\n### Problems(?:\n- [^\n]*)*")
READ_UP_TO = re.compile(r'"t":"[^"\\]*"(?=\} -->)')
LAST_RUN = re.compile(r"^Last run (?P<stamp>\S+)(?: .*)?$", re.M)

Doing = Literal["approve", "propose-again", "unignore", "resume-all", "run-preview"]
ALL = "all"
# Status, problems and controls are never cut; the rest gives way from its end.
SECTIONS = (
    ("open", "### Open"),
    ("queued", "### Waiting"),
    ("watching", "### Merged and watched"),
    ("back", "### Back again"),
    ("rejected", "### Rejected and ignored"),
    ("candidates", "### Candidates"),
)


class Watch(
    msgspec.Struct,
    frozen=True,
    rename={"number": "n", "seen": "s", "back": "b", "until": "u", "outcome": "o"},
):
    """What was seen since a merge: sessions that had the files before them, those that failed
    again, up to which start of a session (RFC 3339), and what was concluded."""

    number: int
    seen: int = 0
    back: int = 0
    until: str = ""
    outcome: Literal["", "resolved", "back"] = ""


class Memory(
    msgspec.Struct,
    frozen=True,
    rename={
        "approved": "a",
        "again": "r",
        "unignored": "u",
        "resumed": "p",
        "served": "k",
        "watch": "w",
        "read_up_to": "t",
    },
):
    """What the dashboard remembers. `approved` and `again` map findings to
    when, `unignored` hashed names; `served` counts, for
    each box, how often it was acted on, so that a tick serves once. `read_up_to` is the moment
    up to which all trace stores were read (RFC 3339), empty where that is not known."""

    approved: dict[str, str] = {}
    again: dict[str, str] = {}
    unignored: dict[str, str] = {}
    resumed: str = ""
    served: dict[str, int] = {}
    watch: tuple[Watch, ...] = ()
    read_up_to: str = ""


class Tick(msgspec.Struct, frozen=True):
    """A box that a person ticked."""

    action: str
    name: str
    nonce: str


class Box(msgspec.Struct, frozen=True):
    """A box to tick."""

    action: Doing
    name: str = ALL


class Row(msgspec.Struct, frozen=True):
    """One line, in our own words or made harmless, with a box in front where there is one."""

    text: str
    box: Box | None = None


class Board(msgspec.Struct, frozen=True):
    """All that the dashboard says. `status` is one line; `run` is said beside the time of the run,
    and like that is no reason to write anything."""

    status: str
    run: str = ""
    problems: tuple[Row, ...] = ()
    controls: tuple[Row, ...] = ()
    rows: Mapping[str, tuple[Row, ...]] = {}
    memory: Memory = Memory()


def render(board: Board, now: datetime, carried: Iterable[Tick] = ()) -> str:
    """The body. `carried` are boxes that were ticked while this run was at work."""
    ticked = frozenset(carried)
    rows = {name: board.rows.get(name, ()) for name, _ in SECTIONS}
    hidden = dict.fromkeys(rows, 0)
    while len(text := _text(board, rows, hidden, now, ticked)) > BUDGET:
        longest = next((name for name, _ in reversed(SECTIONS) if rows[name]), None)
        if longest is None:
            break
        rows[longest] = rows[longest][: len(rows[longest]) * 3 // 4]
        hidden[longest] = len(board.rows.get(longest, ())) - len(rows[longest])
    return text


def read(body: str) -> tuple[Memory, tuple[Tick, ...]] | None:
    """What a body remembers, and the boxes ticked in it; None where it is no dashboard of ours."""
    lines = list(LINE.finditer(body))
    if not lines or int(lines[-1]["version"]) != VERSION:
        return None
    ticks = tuple(
        Tick(box["action"], box["name"], box["nonce"])
        for box in BOX.finditer(body)
        if box["tick"] != " "
    )
    try:
        return msgspec.json.decode(lines[-1]["json"], type=Memory), ticks
    except msgspec.DecodeError:
        return Memory(), ticks


def with_problems(body: str, problems: Iterable[str]) -> str:
    """A body with these problems, harmless as they are, and all else as it was."""
    told = "### Problems\n" + "\n".join(f"- {problem}" for problem in problems)
    rest = PROBLEMS.sub("", body)
    head, gap, tail = rest.partition("\n\n")
    return f"{head}\n\n{told}{gap}{tail}"


def served(memory: Memory, ticks: Iterable[Tick], now: datetime) -> tuple[Memory, frozenset[Tick]]:
    """The memory after these ticks were acted on, and those that counted."""
    done: set[Tick] = set()
    for tick in ticks:
        key = _key(tick.action, tick.name)
        if tick.nonce != nonce(memory, tick.action, tick.name) or tick.action not in ACT:
            continue
        done.add(tick)
        memory = ACT[tick.action](memory, tick.name, now)
        memory = replace(memory, served={**memory.served, key: memory.served.get(key, 0) + 1})
    return memory, frozenset(done)


def nonce(memory: Memory, action: str, name: str) -> str:
    """Eight digits that change once the box has been served."""
    return short_hash(f"{action} {name} {memory.served.get(_key(action, name), 0)}")[:8]


def is_same(old: str, new: str, now: datetime) -> bool:
    """Whether nothing but times of runs differs, and that by less than a day."""
    if _timeless(old.replace("\r\n", "\n")) != _timeless(new):
        return False
    stamp = LAST_RUN.search(old)
    try:
        shown = datetime.fromisoformat(stamp["stamp"].replace("Z", "+00:00")) if stamp else None
    except ValueError:
        return False
    return shown is not None and (now - shown).total_seconds() < 24 * 3600


def _timeless(body: str) -> str:
    return READ_UP_TO.sub("", LAST_RUN.sub("", body)).strip()


def hidden_name(name: str) -> str:
    """How a path or a kind is named where only plain letters may stand."""
    return name if name.startswith("tb-") else short_hash(name)


def _approve(memory: Memory, name: str, now: datetime) -> Memory:
    return replace(memory, approved={**memory.approved, name: _stamp(now)})


def _again(memory: Memory, name: str, now: datetime) -> Memory:
    return replace(memory, again={**memory.again, name: _stamp(now)})


def _unignore(memory: Memory, name: str, now: datetime) -> Memory:
    return replace(memory, unignored={**memory.unignored, name: _stamp(now)})


def _resume(memory: Memory, name: str, now: datetime) -> Memory:
    return replace(memory, resumed=_stamp(now))


def _stamp(now: datetime) -> str:
    return f"{now:%Y-%m-%dT%H:%M:%SZ}"


def _preview(memory: Memory, name: str, now: datetime) -> Memory:
    return memory


# What each box does to the memory; a preview is a matter of the one run.
ACT: Final[Mapping[str, Callable[[Memory, str, datetime], Memory]]] = {
    "approve": _approve,
    "propose-again": _again,
    "unignore": _unignore,
    "resume-all": _resume,
    "run-preview": _preview,
}


def _key(action: str, name: str) -> str:
    return short_hash(f"{action} {name}")[:8]


def _text(
    board: Board,
    rows: Mapping[str, tuple[Row, ...]],
    hidden: Mapping[str, int],
    now: datetime,
    ticked: frozenset[Tick],
) -> str:
    parts = [f"Last run {_stamp(now)} {board.run}".rstrip() + f"\n{board.status}"]
    if board.problems:
        parts.append("### Problems\n" + "\n".join(_lines(board.problems, board.memory, ticked)))
    if board.controls:
        parts.append("### Controls\n" + "\n".join(_lines(board.controls, board.memory, ticked)))
    for name, heading in SECTIONS:
        lines = list(_lines(rows[name], board.memory, ticked))
        if hidden[name]:
            lines.append(f"- {hidden[name]} more in the run's artifact")
        if name == "candidates" and lines:
            inside = "\n".join(lines)
            lines = [
                f"<details><summary>{len(board.rows[name])}</summary>\n\n{inside}\n\n</details>"
            ]
        if lines:
            parts.append(heading + "\n" + "\n".join(lines))
    payload = msgspec.json.encode(board.memory).decode()
    parts.append(f"<!-- trace-bot:dashboard:v{VERSION} {payload} -->")
    return "\n\n".join(parts) + "\n"


def _lines(rows: Iterable[Row], memory: Memory, ticked: frozenset[Tick]) -> Iterator[str]:
    for row in rows:
        if row.box is None:
            yield f"- {row.text}"
            continue
        tick = Tick(row.box.action, row.box.name, nonce(memory, row.box.action, row.box.name))
        sign = "x" if tick in ticked else " "
        yield f"- [{sign}] <!-- tb:{tick.action}={tick.name}@{tick.nonce} --> {row.text}"
