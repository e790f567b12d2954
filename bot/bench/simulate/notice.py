"""Approved, dated notices that state what is right: the authority that settles a fault."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

import msgspec

from bot.bench.simulate.draft import Draft
from bot.bench.simulate.fault import Fault
from bot.bench.simulate.phrases import file, fill, reworded, words

FIRST = date(2025, 9, 1)
DAYS = 120
MOST_LINES = 4
CLAIM_ONLY = 0.1
ADDRESSED = ("stale", "gap")


class Planted(msgspec.Struct, frozen=True):
    """A notice that was added: where, and from when it is in force (ISO date)."""

    path: str
    date: str


def plant(
    draft: Draft, faults: Sequence[Fault], language: str, draw: random.Random
) -> tuple[tuple[Fault, ...], tuple[Planted, ...]]:
    """Writes notices for the faults that nothing else settles, a few lines each.

    One in ten stays without, so that only the user's word speaks: its finding is AMBIGUOUS.
    """
    settled: dict[str, Fault] = {}
    waiting: list[Fault] = []
    for fault in faults:
        if fault.authority is not None or fault.flaw in ("member", "optional"):
            settled[fault.fault_id] = fault
        elif fault.flaw in ADDRESSED and draw.random() < CLAIM_ONLY:
            settled[fault.fault_id] = msgspec.structs.replace(fault, classification="AMBIGUOUS")
        else:
            waiting.append(fault)
    draw.shuffle(waiting)
    planted = []
    for number, group in enumerate(_groups(waiting, draw), 1):
        notice, addressed = _notice(draft, group, number, language, draw)
        planted.append(notice)
        settled.update({fault.fault_id: fault for fault in addressed})
    return tuple(settled[fault.fault_id] for fault in faults), tuple(planted)


def _groups(waiting: Sequence[Fault], draw: random.Random) -> Iterator[list[Fault]]:
    rest = list(waiting)
    while rest:
        size = draw.randint(1, MOST_LINES)
        yield rest[:size]
        rest = rest[size:]


def _notice(
    draft: Draft, group: Sequence[Fault], number: int, language: str, draw: random.Random
) -> tuple[Planted, list[Fault]]:
    day = (FIRST + timedelta(days=draw.randrange(DAYS))).isoformat()
    label = f"{day[:4]}-{number:02}"
    title = fill(draw.choice(words(language, "facts.notice_title")), {"number": label})
    intro = fill(draw.choice(words(language, "facts.notice_intro")), {"date": day})
    lines = [_line(fault, language, draw) for fault in group]
    head = {
        "title": title,
        "status": "approved",
        "authority": "policy",
        "effective_date": day,
        "owner": draw.choice(("operations", "service-quality", "policy-office")),
    }
    text = "---\n" + "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False) if key == 'title' else value}\n"
        for key, value in head.items()
    )
    text += f"---\n\n# {title}\n\n{intro}\n\n" + "".join(f"- {line}\n" for line in lines)
    path = draft.place_for("kb_entry", f"notice-{label}.md", text, _near(draft))
    draft.texts[path] = text
    addressed = [
        msgspec.structs.replace(fault, authority=path, authority_quote=line)
        for fault, line in zip(group, lines, strict=True)
    ]
    return Planted(path, day), addressed


def _near(draft: Draft) -> str:
    """Where the repository keeps its articles, or the default layout's folder."""
    kept = (path for path, found in draft.documents.items() if found.type == "kb_entry")
    path = next((path for path in kept if path.endswith(".md")), "")
    return path if path.count("/") else "knowledge_base/notices/x.md"


def _line(fault: Fault, language: str, draw: random.Random) -> str:
    if fault.tool:
        said = str(file("en")["facts"][f"tool_{fault.flaw}"])
        text = fill(said, {"parameter": fault.parameter, "right": fault.right})
        return f"`{fault.tool}`: {text}"
    row = fault.right.lstrip().startswith("|")
    quote = fault.right.strip().strip("|").strip() if row else fault.right
    if not row and draw.random() < 0.5:
        quote = reworded(quote, language, draw)
    templates = words(language, "facts.notice")
    # What is to be added somewhere has to say where it belongs.
    named = [template for template in templates if "{topic}" in template]
    template = draw.choice(named if fault.flaw == "gap" else templates)
    return fill(template, {"topic": fault.topic, "quote": quote})
