"""What faults are made of: facts, tools and terms, and the wrong value that a fact could state."""

from __future__ import annotations

import random

import msgspec

from bot.bench.simulate.alter import altered
from bot.bench.simulate.facts import Fact, Term
from bot.bench.simulate.tool_facts import ToolFact
from bot.provenance.values import values


class Material(msgspec.Struct, frozen=True):
    """What faults can be made of. `language` is the repository's.

    Every fourth fact with a value is kept back in `sound`, for sessions over a right context.
    """

    facts: tuple[Fact, ...]
    sound: tuple[Fact, ...]
    tools: tuple[ToolFact, ...]
    terms: tuple[Term, ...]
    language: str


def other_value(fact: Fact, draw: random.Random) -> tuple[str, str] | None:
    """(the wrong value, the sentence with it): read again, it states that value in that place."""
    if fact.value is None or fact.quote.count(fact.value.text) != 1:
        return None
    wrong = altered(fact.value, draw)
    if wrong is None:
        return None
    quote = fact.quote[: fact.value.start] + wrong + fact.quote[fact.value.end :]
    found = any(v.text == wrong and v.start == fact.value.start for v in values(quote))
    return (wrong, quote) if found else None
