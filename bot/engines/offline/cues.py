"""Words that tell what a text is about, by language: that something ended, that a rule binds
assistants, that a service was down. General words of each language, kept as data."""

from __future__ import annotations

from importlib.resources import files

import msgspec


class Cues(msgspec.Struct, frozen=True):
    """Lists of lower-case beginnings of words, all languages together."""

    ended: tuple[str, ...]
    removed: tuple[str, ...]
    assistants: tuple[str, ...]
    outage: tuple[str, ...]


def load() -> Cues:
    """Read the packaged lists."""
    data = files(__package__).joinpath("cues.json").read_bytes()
    lists = msgspec.json.decode(data, type=dict[str, dict[str, list[str]]])
    joined = {name: tuple(w for words in by.values() for w in words) for name, by in lists.items()}
    return Cues(**joined)


def holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether a text holds one of the words, at the beginning of a word of its own."""
    low = f" {text.casefold()}"
    for word in words:
        at = low.find(word)
        while at > 0:
            if not low[at - 1].isalnum() or not word[0].isascii():
                return True
            at = low.find(word, at + 1)
    return False
