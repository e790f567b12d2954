"""Writes a suite: the faulty copy, its history, sessions, labels, faults, and what it is."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bot.bench.simulate.draft import Draft
from bot.bench.simulate.fault import Fault
from bot.bench.simulate.notice import Planted
from bot.bench.simulate.plan import Quota
from bot.bench.simulate.sessions import Session
from bot.context.history import HistoryEntry
from context_repo_schema.config import FILE_NAME

IMPORTED, OBSOLETE = "2024-03-11T09:00:00Z", "2023-05-02T10:30:00Z"
TOUCHED_LATER = 0.2
TEMPLATE_WORDS = """\
The words come from templates in several languages, filled with words of the context: questions
are terser and corrections more alike than people's. Good for counting and for stress; a hand-made
suite is the better judge of language."""
MODEL_WORDS = """\
What users say was written anew by {author} where it kept every value and every term that was
searched for; nobody has read whether it kept the tone. What the agent says comes from templates."""


def write_context(
    source: Path, out: Path, draft: Draft, planted: Sequence[Planted], faults: Sequence[Fault]
) -> None:
    """`context/` and `history.jsonl`: the import, obsolete pages before it, notices after it, and
    for some faulty files a later commit that changed nothing of substance."""
    for path, text in sorted(draft.texts.items()):
        place = out / "context" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8"))
    if (source / FILE_NAME).is_file():
        shutil.copyfile(source / FILE_NAME, out / "context" / FILE_NAME)
    old = tuple(sorted(fault.path for fault in faults if fault.kind == "DELETE"))
    added = {notice.path for notice in planted} | set(old)
    known = tuple(path for path in sorted(draft.texts) if path not in added)
    entries = [HistoryEntry(IMPORTED, "import", "Import of the context", known)]
    if old:
        entries.append(HistoryEntry(OBSOLETE, "import", "Earlier editions", old))
    entries += [
        HistoryEntry(f"{notice.date}T08:00:00Z", "policy-office", "New notice", (notice.path,))
        for notice in planted
    ]
    draw = random.Random(f"{len(draft.texts)}/touched")
    for path in sorted({fault.path for fault in faults} - set(old)):
        if draw.random() < TOUCHED_LATER:
            day = f"2026-01-{draw.randrange(10, 29)}T15:00:00Z"
            entries.append(HistoryEntry(day, "editor", "Spelling and links", (path,)))
    _lines(out / "history.jsonl", [_entry(e) for e in sorted(entries, key=lambda e: e.date)])


def _entry(entry: HistoryEntry) -> dict[str, Any]:
    return {
        "date": entry.date,
        "author": entry.author,
        "message": entry.message,
        "paths": list(entry.paths),
    }


def write_suite(out: Path, played: Sequence[Session], faults: Sequence[dict[str, object]]) -> None:
    """Sessions, labels and faults, one JSON object a line."""
    # `schema` is the default, and left out defaults would drop it.
    _lines(
        out / "trajectories.jsonl",
        [
            {"schema": s.played.trajectory.schema, **msgspec.to_builtins(s.played.trajectory)}
            for s in played
        ],
    )
    _lines(out / "labels.jsonl", [s.label for s in played])
    _lines(out / "faults.jsonl", faults)


def _lines(path: Path, rows: Sequence[Any]) -> None:
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


class Origin(msgspec.Struct, frozen=True):
    """The context a suite was made from, the seed, and the model that spoke, if one did."""

    name: str
    seed: int
    author: str = ""


def readme(
    origin: Origin,
    planned: Sequence[Quota],
    played: Sequence[Session],
    faults: Sequence[Fault],
) -> str:
    """What the suite is, how it came about, and what it cannot show."""
    tiers = Counter(s.label.complexity for s in played)
    kinds = ", ".join(f"{quota.kind} {quota.sessions}" for quota in planned)
    open_ = sum(fault.classification == "AMBIGUOUS" for fault in faults)
    words = MODEL_WORDS.format(author=origin.author) if origin.author else TEMPLATE_WORDS
    return f"""# Simulated sessions over `{origin.name}`

{len(played)} sessions over a copy of the context with {len(faults)} faults, seed {origin.seed}.

- Kinds: {kinds}. A kind that is missing is one that the context holds nothing for.
- Length: {", ".join(f"{tier} {number}" for tier, number in sorted(tiers.items()))}.
- `DELETE` faults are planted obsolete duplicates; `NO_ACTION` are users in the wrong and slips of
  the agent over a right context; `CONTROL` are content users.
- What settles a fault is an approved notice that was added to the copy; {open_} faults have none
  and are AMBIGUOUS, and tools that refuse a call prove their fault themselves.
- Some faulty files have a later commit that changed nothing of substance.

{words} Everything beside the context itself is generated; the context keeps its own licence.
"""
