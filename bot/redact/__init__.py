"""Secrets and personal data out of a text: `[redacted:KIND]` in their place, the rest verbatim.

A text is read as a reader puts it together, without hidden characters, so that whatever removes
those later rebuilds nothing; as it stands; and where JSON was written, without its line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.defang import bare
from bot.redact.rules import UNLABELLED, Rule, named, rules


class Privacy(NamedTuple):
    """What goes beside secrets, which always go: personal data, and the names of a list."""

    personal: bool = True
    names: tuple[str, ...] = ()


STRICT = Privacy()
_ESCAPE = re.compile(r"\\+[nrt]")


def redact(text: str, privacy: Privacy = STRICT) -> str:
    """The text with every secret and every piece of personal data replaced by its kind."""
    return _redacted(text, (*rules("secret"), *_private(privacy)))


def redact_id(text: str, privacy: Privacy = STRICT) -> str:
    """As `redact`, for an id, whose nature it is to look random."""
    known = (rule for rule in rules("secret") if rule.kind != UNLABELLED)
    return _redacted(text, (*known, *_private(privacy)))


def without_names(text: str, names: tuple[str, ...]) -> str:
    """The text without the names of a list."""
    return _redacted(text, named(names))


def secrets(text: str) -> tuple[str, ...]:
    """The kinds of secret that a text holds, random-looking tokens among them; no values."""
    views = _views(text)
    found = (rule.kind for rule in rules("secret") for view in views if _places(view, rule))
    return tuple(dict.fromkeys(found))


def personal(text: str, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Every piece of personal data, and every name of the list, as it stands in the text."""
    asked = (*rules("personal"), *named(names))
    spans = (_places(view, rule) for rule in asked for view in reversed(_views(text)))
    return tuple(dict.fromkeys(text[start:end] for found in spans for start, end in found))


def _private(privacy: Privacy) -> tuple[Rule, ...]:
    return (*(rules("personal") if privacy.personal else ()), *named(privacy.names))


def _redacted(text: str, asked: Iterable[Rule]) -> str:
    views = _views(text)
    for rule in asked:
        for at in range(len(views)):
            spans = _places(views[min(at, len(views) - 1)], rule)
            if spans:
                text = _cut(text, spans, f"[redacted:{rule.kind}]")
                views = _views(text)
    return text


def _cut(text: str, spans: Iterable[tuple[int, int]], instead: str) -> str:
    pieces, after = [], 0
    for start, end in spans:
        pieces += [text[after:start], instead]
        after = end
    return "".join((*pieces, text[after:]))


class _View(NamedTuple):
    """A text as it is read, in small letters too, and where its characters stand in the text."""

    text: str
    low: str
    places: Sequence[int]


def _views(text: str) -> tuple[_View, ...]:
    """As a reader sees the text, and as it stands where that is something else."""
    seen, places = bare(text)
    views = [_View(seen, seen.lower(), places)]
    if seen != text:
        views.append(_View(text, text.lower(), range(len(text))))
    if "\\" in text:
        # Where JSON was written, the letter of its `\n` is no part of the word behind it.
        parted = _ESCAPE.sub(lambda found: " " * len(found[0]), text)
        views.append(_View(parted, parted.lower(), range(len(text))))
    return tuple(views)


def _places(view: _View, rule: Rule) -> list[tuple[int, int]]:
    found = rule.spans(view.text, view.low)
    return [(view.places[start], view.places[end - 1] + 1) for start, end in found]
