"""The body of a pull request: facts in, Markdown out, within GitHub's limits, and read back.

What we write stands between two comments, the island; what a person writes around it is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from bot.defang import cell, code, fence

BEGIN, END = "<!-- trace-bot:begin -->", "<!-- trace-bot:end -->"
MAX_UTF16, MAX_UTF8 = 60_000, 64_000
MAX_ROWS, MAX_QUOTES = 10, 20
RUN_LENGTH = 48
STATUS = "> Status: "

CHANGES, CAUSE, EVIDENCE = (
    "### What changes",
    "### Why we think this file is the cause",
    "### Evidence",
)
CHECKS, RISK, EARLIER = "### How it was checked", "### If this is wrong", "### Earlier attempts"
OPTIONS = "### Your options"
WITNESS = ("Run", "When", "Signal", "Step", "What happened")
WITHHELD = (
    "Words of sessions are withheld here (`evidence.quotes`); `trace-bot explain RUN` shows them "
    "to whoever has the sessions."
)
PASSED = "passed"


class Change(msgspec.Struct, frozen=True):
    """A row of the changes: `lines` counts, such as `+1 -1`."""

    operation: str
    path: str
    section: str
    lines: str
    why: str


class Witness(msgspec.Struct, frozen=True):
    """A row of the evidence: one session. `what` is empty where quotes are off; where it is so in
    every row, the column is left out."""

    session: str
    when: str
    signal: str
    step: str
    what: str


class Quote(msgspec.Struct, frozen=True):
    """A quoted span with where it stands."""

    where: str
    text: str


class Body(msgspec.Struct, frozen=True):
    """Everything that a body says. Foreign text is made harmless when it is rendered.

    `cause`, `rival`, `risk`, `options` and `footer` are our own sentences, `repo_quotes` lines of
    the repository, `quotes` spans of sessions, `checks` pairs of what was checked and how it went.
    """

    headline: str
    changes: tuple[Change, ...]
    cause: str
    rival: str
    repo_quotes: tuple[Quote, ...]
    witnesses: tuple[Witness, ...]
    total: int
    quotes: tuple[Quote, ...]
    checks: tuple[tuple[str, str], ...]
    risk: str
    earlier: str
    options: str
    footer: str
    marker: str


def render(body: Body) -> str:
    """The island, cut to the limits: quotes first, then evidence rows, the rival, the options."""
    body = replace(body, witnesses=body.witnesses[:MAX_ROWS], quotes=body.quotes[:MAX_QUOTES])
    for cut in CUTS:
        while not _fits(text := _whole(body)):
            smaller = cut(body)
            if smaller == body:
                break
            body = smaller
        else:
            return text
    return _whole(body)


def split(text: str) -> tuple[str, str, str] | None:
    """What stands before our island, the island, and what stands behind it; None without one."""
    begin, end = text.find(BEGIN), text.rfind(END)
    if begin < 0 or end < begin:
        return None
    return text[:begin], text[begin : end + len(END)], text[end + len(END) :]


def with_island(text: str, island: str) -> str | None:
    """The text with another island in it; None where a person took the island away."""
    parts = split(text)
    return None if parts is None else parts[0] + island + parts[2]


def refreshed(old: str, new: str, marker: str) -> str:
    """The old island with the headline and the evidence of the new one, and another marker."""
    island = old
    for heading in ("", EVIDENCE):
        island = island.replace(_section(island, heading), _section(new, heading), 1)
    return with_marker(island, marker)


def with_status(island: str, sentence: str) -> str:
    """The island with this status line below its headline, or with none."""
    head = _section(island, "")
    lines = [line for line in head.rstrip("\n").split("\n") if not line.startswith(STATUS)]
    told = "\n".join(lines).rstrip("\n")
    told += f"\n\n{STATUS}{sentence}\n" if sentence else "\n"
    return island.replace(head, told, 1)


def with_marker(island: str, marker: str) -> str:
    """The island with another marker in its last line but one."""
    lines = island.split("\n")
    return "\n".join([*lines[:-2], marker, lines[-1]])


def with_earlier(island: str, text: str) -> str:
    """The island with a section on earlier attempts, where GitHub's limits leave room for it."""
    heading = _section(island, OPTIONS)
    told = island.replace(heading, f"{EARLIER}\n{text}\n\n{heading}", 1)
    return told if _fits(told) else island


def earlier(island: str) -> str:
    """What an island says of earlier attempts, or nothing."""
    if EARLIER not in island:
        return ""
    return _section(island, EARLIER).removeprefix(EARLIER).strip()


def runs(island: str) -> dict[str, str]:
    """The runs that the evidence table of an island names, as its cells show them, each with its
    day and minute as they stand there."""
    if EVIDENCE not in island:
        return {}
    rows = [row for row in _section(island, EVIDENCE).split("\n") if row.startswith("| ")]
    cells = (row.removeprefix("| ").split(" | ", 2) for row in rows[2:])
    return {first: rest[0] if rest else "" for first, *rest in cells}


def _section(island: str, heading: str) -> str:
    """From its heading to the next; the headline stands before the first one."""
    start = island.index(heading) if heading else len(BEGIN)
    end = island.find("\n### ", start + len(heading))
    return island[start:end] if end >= 0 else island[start:]


def _whole(body: Body) -> str:
    parts = [
        BEGIN + "\n" + body.headline,
        _table(CHANGES, ("Op", "File", "Section", "Lines", "Why"), map(_change, body.changes)),
        "\n\n".join(filter(None, (CAUSE + "\n" + body.cause, _repo_quotes(body), body.rival))),
        _evidence(body),
        _checks(body),
        RISK + "\n" + body.risk,
        EARLIER + "\n" + body.earlier if body.earlier else "",
        OPTIONS + "\n" + body.options,
        f"<sub>{body.footer}</sub>\n{body.marker}\n{END}",
    ]
    return "\n\n".join(part for part in parts if part)


def _change(change: Change) -> tuple[str, ...]:
    return (
        change.operation,
        code(change.path).replace("|", r"\|"),
        cell(change.section),
        change.lines,
        cell(change.why),
    )


def _repo_quotes(body: Body) -> str:
    return "\n\n".join(f"{code(q.where)}\n{fence(q.text)}" for q in body.repo_quotes)


def _evidence(body: Body) -> str:
    rows = [
        (cell(w.session, RUN_LENGTH), cell(w.when), cell(w.signal), cell(w.step), cell(w.what))
        for w in body.witnesses
    ]
    told = any(w.what for w in body.witnesses)
    columns = WITNESS if told else WITNESS[:-1]
    text = _table(EVIDENCE, columns, (row[: len(columns)] for row in rows))
    if not told:
        text += f"\n\n{WITHHELD}"
    if len(rows) < body.total:
        text += f"\n\n{len(rows)} of {body.total} shown."
    if not body.quotes:
        return text
    quoted = "\n\n".join(fence(f"{q.where}:\n{q.text}") for q in body.quotes)
    return (
        f"{text}\n\n<details><summary>Quoted spans (redacted)</summary>\n\n{quoted}\n\n</details>"
    )


def _checks(body: Body) -> str:
    """What did not pass stands in the open, what passed is folded."""
    rest = ((check, cell(result)) for check, result in body.checks if result != PASSED)
    text = _table(CHECKS, ("Check", "Result"), rest)
    passed = [check for check, result in body.checks if result == PASSED]
    if not passed:
        return text
    count = "1 check" if len(passed) == 1 else f"{len(passed)} checks"
    listed = "\n".join(f"- {check}" for check in passed)
    return f"{text}\n\n<details><summary>{count} passed</summary>\n\n{listed}\n\n</details>"


def _table(heading: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heading, _row(head), _row(["---"] * len(head)), *map(_row, rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell_text or "-" for cell_text in cells) + " |"


def _fits(text: str) -> bool:
    return len(text.encode("utf-16-le")) // 2 <= MAX_UTF16 and len(text.encode()) <= MAX_UTF8


def _without_quote(body: Body) -> Body:
    return replace(body, quotes=body.quotes[:-1])


def _without_row(body: Body) -> Body:
    return replace(body, witnesses=body.witnesses[:-1])


def _without_rival(body: Body) -> Body:
    return replace(body, rival="", repo_quotes=())


def _without_options(body: Body) -> Body:
    return replace(body, options="Merge to accept, or close to reject.")


CUTS: tuple[Callable[[Body], Body], ...] = (
    _without_quote,
    _without_row,
    _without_rival,
    _without_options,
)
