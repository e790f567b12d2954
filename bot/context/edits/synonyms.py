"""Lines of Solr synonym files: `a, b, c` (all alike) and `a, b => c` (one way)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.context.edits.splice import Splice, newline_of
from bot.errors import EditRefused
from bot.records.change import Edit

_COMMA = re.compile(r"(?<!\\),")
_SPACED = re.compile(r"(?<!\\), ")
_ARROW = re.compile(r"(?<!\\)=>")


def add_synonyms(path: str, text: str, term: str, synonyms: Sequence[str]) -> Edit:
    """Adds words that search shall take for `term`: to the rule that holds it, else as a new rule.

    In a one-way rule they join the left side, whose words are replaced. Words that stand there
    already are left out; raises `EditRefused` where none is new.
    """
    at = 0
    for line in text.split("\n"):
        rule = line.rstrip("\r")
        sides = [] if rule.lstrip("\ufeff ").startswith("#") else _ARROW.split(rule)
        if any(term.casefold() in _terms(side) for side in sides):
            return _extended(path, text, at, sides, synonyms)
        at += len(line) + 1
    return append_rule(path, text, [*_escaped([term]), *_escaped(synonyms)])


def append_rule(path: str, text: str, terms: Sequence[str]) -> Edit:
    """Adds a rule of words that are all alike at the end of the file."""
    end = len(text.rstrip("\r\n"))
    lead = newline_of(text) if text[:end].strip("\ufeff") else ""
    return Splice(end, end, lead + ", ".join(terms)).edit(path, text)


def _extended(path: str, text: str, at: int, sides: Sequence[str], more: Sequence[str]) -> Edit:
    known = {term for side in sides for term in _terms(side)}
    new = _escaped([word for word in more if word.casefold() not in known])
    if not new:
        raise EditRefused(f"{path}: the rule holds all these words already; drop the edit.")
    end = at + len(sides[0].rstrip())
    commas = _COMMA.findall(sides[0])
    comma = "," if commas and not _SPACED.search(sides[0]) else ", "
    return Splice(end, end, "".join(comma + word for word in new)).edit(path, text)


def _terms(side: str) -> set[str]:
    words = (word.strip("\ufeff ").replace("\\,", ",") for word in _COMMA.split(side))
    return {word.casefold() for word in words if word}


def _escaped(words: Sequence[str]) -> list[str]:
    return [" ".join(word.split()).replace(",", "\\,").replace("=>", "\\=>") for word in words]
