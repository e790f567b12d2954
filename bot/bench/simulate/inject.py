"""Injects faults: one function a kind, each trying one candidate and saying whether it fitted."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from bot.bench.simulate.draft import Draft
from bot.bench.simulate.facts import Fact
from bot.bench.simulate.fault import Fault, Kind
from bot.bench.simulate.material import Material, other_value
from bot.bench.simulate.misplace import duplicate, hide_term, hide_title
from bot.bench.simulate.tool_facts import ToolFact
from bot.bench.source_text import article
from bot.context.edit import replace_span
from bot.errors import EditRefused

T = TypeVar("T")
Injector = Callable[[Draft, Material, random.Random, str], Fault | None]


def skill_stale(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """A value of a skill is changed."""
    return _first(material.facts, lambda fact: _stale(draft, fact, draw, name, "skill"))


def kb_stale(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """A value of an article is changed."""
    return _first(material.facts, lambda fact: _stale(draft, fact, draw, name, "kb_entry"))


def kb_gap(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """A row or list item of an article is taken out."""
    return _first(material.facts, lambda fact: _gap(draft, fact, name, "kb_entry"))


def prompt_gap(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """A rule of a system prompt is taken out."""
    return _first(material.facts, lambda fact: _gap(draft, fact, name, "system_prompt"))


def tool_error(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """A parameter's description contradicts its tool."""
    order = draw.sample(material.tools, len(material.tools))
    return _first(order, lambda fact: _tool(draft, fact, name))


def retrieval(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """A term is taken out of the synonym map, or a document loses the title it is found by."""
    even = draw.random() < 0.5
    term = even and _first(material.terms, lambda found: hide_term(draft, found, material, name))
    return term or _first(
        material.facts, lambda fact: hide_title(draft, fact, draw, name, material.language)
    )


def obsolete(draft: Draft, material: Material, draw: random.Random, name: str) -> Fault | None:
    """An obsolete duplicate of an article's section is planted beside it."""
    return _first(
        material.facts, lambda fact: duplicate(draft, fact, draw, name, material.language)
    )


INJECTORS: Mapping[Kind, Injector] = {
    "SKILL_FILE_STALE": skill_stale,
    "KB_CONTENT_STALE": kb_stale,
    "KB_CONTENT_GAP": kb_gap,
    "TOOL_PROMPT_ERROR": tool_error,
    "SYSTEM_PROMPT_GAP": prompt_gap,
    "RETRIEVAL_FAILURE": retrieval,
    "DELETE": obsolete,
}


def _first(candidates: Sequence[T], attempt: Callable[[T], Fault | None]) -> Fault | None:
    return next((fault for item in candidates if (fault := attempt(item)) is not None), None)


def _stale(draft: Draft, fact: Fact, draw: random.Random, name: str, kind: str) -> Fault | None:
    free = fact.type == kind and draft.free(fact.path, fact.quote)
    change = other_value(fact, draw) if free else None
    if change is None:
        return None
    wrong, quote = change
    if not draft.ground.once(fact.path, fact.quote) or not draft.take(fact.path, fact.quote):
        return None
    if not draft.swap(fact.path, fact.quote, quote, _written(draft, fact.path, quote)):
        return None
    return Fault(
        name,
        "SKILL_FILE_STALE" if kind == "skill" else "KB_CONTENT_STALE",
        "stale",
        "SKILL_FILE_STALE" if kind == "skill" else "KB_CONTENT_STALE",
        "UPDATE",
        fact.type,
        fact.path,
        fact.topic,
        fact.subject,
        fact.quote,
        quote=quote,
        value=fact.value,
        wrong=wrong,
        section=draft.documents[fact.path].passage_of(fact.quote).section,
    )


def _gap(draft: Draft, fact: Fact, name: str, kind: str) -> Fault | None:
    if fact.type != kind or fact.line is None or not draft.free(fact.path, fact.quote):
        return None
    document = draft.documents[fact.path]
    piece = f"{fact.line}\n"
    if piece not in document.text or not draft.ground.once(fact.path, fact.quote):
        return None
    if not draft.take(fact.path, fact.quote) or not draft.swap(fact.path, piece, "", ""):
        return None
    kb = kind == "kb_entry"
    return Fault(
        name,
        "KB_CONTENT_GAP" if kb else "SYSTEM_PROMPT_GAP",
        "gap",
        "KB_CONTENT_GAP" if kb else "SYSTEM_PROMPT_GAP",
        "CREATE",
        fact.type,
        fact.path,
        fact.topic,
        fact.subject,
        fact.quote,
        value=fact.value,
        section=document.passage_of(fact.quote).section,
    )


def _tool(draft: Draft, fact: ToolFact, name: str) -> Fault | None:
    if not draft.take(fact.path, f"{fact.tool}.{fact.parameter}"):
        return None
    try:
        edit = replace_span(
            fact.path, draft.repo.texts[fact.path], fact.start, fact.end, fact.wrong
        )
    except EditRefused:
        return None
    if not draft.edit(edit):
        return None
    return Fault(
        name,
        "TOOL_PROMPT_ERROR",
        fact.kind,
        "TOOL_PROMPT_ERROR",
        "UPDATE",
        "tool_prompt",
        fact.path,
        fact.tool.replace("_", " "),
        fact.parameter.replace("_", " "),
        fact.right or fact.parameter,
        quote=fact.wrong.strip(),
        wrong=fact.wrong.strip().strip('"'),
        tool=fact.tool,
        parameter=fact.parameter,
        call=fact.sample,
    )


def _written(draft: Draft, path: str, piece: str) -> str:
    """How the file writes a new piece: escaped in a JSON article."""
    if article(path, draft.repo.texts[path]) is None:
        return piece
    return json.dumps(piece, ensure_ascii=False)[1:-1]
