"""Everyday words: those that say nothing of what a text is about."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


def everyday(word: str) -> bool:
    """Whether a word is an everyday one in any of the languages of the list, without case."""
    return word.casefold() in _words()


@cache
def _words() -> frozenset[str]:
    text = files(__package__).joinpath("everyday.json").read_text("utf-8")
    lists: dict[str, str] = json.loads(text)["words"]
    return frozenset(word for line in lists.values() for word in line.split())
