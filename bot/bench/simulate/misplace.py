"""Faults of place: a term that leads nowhere, a title nobody looks under, an obsolete double."""

from __future__ import annotations

import json
import random
import re

from bot.bench.simulate.document import Document
from bot.bench.simulate.draft import Draft
from bot.bench.simulate.facts import Fact, Term
from bot.bench.simulate.fault import Fault
from bot.bench.simulate.material import Material, other_value
from bot.bench.simulate.phrases import words
from bot.bench.source_text import article
from bot.records.change import Edit


def hide_term(draft: Draft, term: Term, material: Material, name: str) -> Fault | None:
    """The term is taken out of its entry."""
    rule = next((f for f in material.facts if f.path == term.leads_to and f.line), None)
    if rule is None or not draft.take(term.path, term.term):
        return None
    quoted = re.escape(json.dumps(term.term, ensure_ascii=False))
    shorter = re.sub(
        rf",\s*(?:{quoted}|{re.escape(term.term)})(?=\s*[,\]\n}}]|$)", "", term.entry, count=1
    )
    if shorter == term.entry or not draft.edit(Edit(term.path, "UPDATE", shorter, term.entry)):
        return None
    return Fault(
        name,
        "RETRIEVAL_FAILURE",
        "term",
        "RETRIEVAL_FAILURE",
        "UPDATE",
        "synonym_map",
        term.path,
        draft.documents[term.leads_to].title,
        term.term,
        rule.quote,
        value=rule.value,
        authority=term.leads_to,
        source=term.leads_to,
        term=term.term,
    )


def hide_title(
    draft: Draft, fact: Fact, draw: random.Random, name: str, language: str
) -> Fault | None:
    """The section, or the article, gets a title that says nothing."""
    if fact.type != "kb_entry" or fact.line is None or not draft.free(fact.path, fact.quote):
        return None
    document = draft.documents[fact.path]
    old, topic = _headline(draft, document, fact)
    label = f"{draw.choice(words(language, 'facts.titles'))} {draw.randrange(2, 900)}"
    new = old.replace(topic, label)
    whole = draft.repo.texts[fact.path]
    if not old or whole.count(old) != 1 or not draft.ground.nowhere(label):
        return None
    if not draft.ground.once(fact.path, fact.quote) or not draft.take(fact.path, f"# {topic}"):
        return None
    draft.take(fact.path, fact.quote)
    if not draft.edit(Edit(fact.path, "UPDATE", new, old)):
        return None
    return Fault(
        name,
        "RETRIEVAL_FAILURE",
        "title",
        "RETRIEVAL_FAILURE",
        "UPDATE",
        "kb_entry",
        fact.path,
        topic,
        fact.subject,
        fact.quote,
        quote=label,
        value=fact.value,
        authority=fact.path,
        source=fact.path,
        section=document.passage_of(fact.quote).section,
    )


def _headline(draft: Draft, document: Document, fact: Fact) -> tuple[str, str]:
    """(the text that holds the title, the title): of the section in Markdown, of the article in
    JSON. The first is empty where there is no such line."""
    raw = draft.repo.texts[document.path]
    if article(document.path, raw) is not None:
        match = re.search(rf'"title"\s*:\s*{re.escape(json.dumps(document.title))}', raw)
        return (match[0] if match else ""), document.title
    match = re.search(rf"(?m)^#{{1,4}} +{re.escape(fact.topic)}[ \t]*$", raw)
    return (match[0] if match else ""), fact.topic


def duplicate(
    draft: Draft, fact: Fact, draw: random.Random, name: str, language: str
) -> Fault | None:
    """A superseded edition of the section, with another value, is planted beside it."""
    free = fact.type == "kb_entry" and draft.free(fact.path, fact.quote)
    change = other_value(fact, draw) if free else None
    if change is None or not draft.ground.once(fact.path, fact.quote):
        return None
    wrong, quote = change
    if not draft.ground.nowhere(quote) or not draft.take(fact.path, fact.quote):
        return None
    document = draft.documents[fact.path]
    section = document.passage_of(fact.quote)
    title = draw.choice(words(language, "facts.obsolete")).replace("{title}", document.title)
    head = (
        f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\nstatus: superseded\n"
        f"effective_date: 2023-0{draw.randrange(1, 9)}-1{draw.randrange(0, 9)}\n"
        f"superseded_by: {fact.path}\nauthority: reference\n---\n\n# {title}\n\n"
    )
    text = head + section.content.replace(fact.quote, quote).lstrip("\n") + "\n"
    named = f"{document.path.rsplit('/', 1)[-1].rsplit('.', 1)[0]} {section.section or ''}"
    stem = re.sub(r"[^a-z0-9]+", "-", named.lower()).strip("-")[:60]
    path = draft.place_for("kb_entry", f"{stem}-2023.md", text, fact.path)
    if path in draft.texts:
        return None
    draft.texts[path] = text
    return Fault(
        name,
        "DELETE",
        "stale",
        "KB_CONTENT_STALE",
        "DELETE",
        "kb_entry",
        path,
        fact.topic,
        fact.subject,
        fact.quote,
        quote=quote,
        value=fact.value,
        wrong=wrong,
        authority=fact.path,
        authority_quote=fact.quote,
    )
