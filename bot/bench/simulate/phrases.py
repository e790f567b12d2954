"""What people and agents say, from data files: a file a language, a list an act."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt")
_CHOICE = re.compile(r"\(([^()|]*(?:\|[^()|]*)+)\)")
_BLANKS = re.compile(r"(?<=\S) +( |[.,!?](?= |$))")
_SLOT = re.compile(r"\{(\w+)\}")


class Talk:
    """Deals templates like cards, so that none comes back before the others were used."""

    def __init__(self, seed: str) -> None:
        self._draw = random.Random(f"{seed}/talk")
        self._decks: dict[str, list[str]] = {}

    def say(self, language: str, act: str, slots: Mapping[str, str]) -> str:
        """The act in that language (in English where the language lacks it), filled in.

        `act` is a key path such as `user.thanks`. An unknown slot stays as it is.
        """
        found = language if speaks(language, act) else "en"
        text = self._dealt(f"{found}/{act}", _list(found, act))
        while match := _CHOICE.search(text):
            chosen = self._draw.choice(match[1].split("|"))
            text = text[: match.start()] + chosen + text[match.end() :]
        # A choice may be empty, which leaves blanks behind.
        return fill(_BLANKS.sub(r"\1", text), slots)

    def _dealt(self, name: str, templates: list[str]) -> str:
        deck = self._decks.setdefault(name, [])
        if not deck:
            deck += self._draw.sample(templates, len(templates))
        return deck.pop()


def fill(template: str, slots: Mapping[str, str]) -> str:
    """The template with its slots filled; nothing inside a slot is read as a template."""
    return _SLOT.sub(lambda match: slots.get(match[1], match[0]), template)


def speaks(language: str, act: str) -> bool:
    """Whether that language has templates for the act."""
    return bool(_list(language, act))


def words(language: str, key: str) -> list[Any]:
    """A list of the language's file, or English's where it has none."""
    return _list(language, key) or _list("en", key)


def forms(language: str) -> Mapping[str, list[str]]:
    """How values are written in that language, by kind, currency or unit."""
    return {**file("en")["forms"], **file(language)["forms"]}


def _list(language: str, key: str) -> list[Any]:
    value: Any = file(language)
    for part in key.split("."):
        value = value.get(part, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, list) else []


@cache
def file(language: str) -> Mapping[str, Any]:
    """The data file of a language."""
    place = resources.files("bot.bench.simulate") / "phrases" / f"{language}.toml"
    return tomllib.loads(place.read_text("utf-8"))


def reworded(sentence: str, language: str, draw: random.Random) -> str:
    """The sentence with some of its words changed for others that mean the same."""
    for old, new in _list(language, "facts.rewrites"):
        if draw.random() < 0.6:
            sentence = re.sub(rf"\b{re.escape(old)}\b", new, sentence, count=1)
    return sentence
