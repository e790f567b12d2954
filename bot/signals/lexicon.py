"""Cues: phrases that tell what a sentence does, read from `lexicons/<language>.json`.

A phrase matches whole words whatever their case and accents; `*` stands for the rest of a word,
`...` for up to forty characters of the same sentence, `^` and `$` for the start and end of a
clause. Chinese and Japanese phrases match anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from bot.provenance.language import fold, lower

_FOLDER = Path(__file__).with_name("lexicons")
_GAP = r"[^.!?。！？\n]{0,40}?"
_CJK = re.compile(r"[぀-ヿ一-鿿]")
_START = re.compile(r"(?<!\w)[^\s]|[぀-ヿ一-鿿]")
_CLAUSE_START = r"(?:(?<![^\n])|(?<=[.!?…,;:。！？、，–-])|(?<=[.!?…,;:。！？、，–-]\s))"
_CLAUSE_END = r"(?=\s*(?:[.!?…,;:。！？、，–-]|$))"
# Inside a longer phrase they mean nothing of their own: "thanks for nothing", "no, that's all".
_OVERRULED = frozenset({"thanks", "accept", "mind", "interest", "negation"})
_KEY = re.compile(r"\w{1,3}|[^\s*.]")
_LATIN_END = 0x250


class Hit(msgspec.Struct, frozen=True):
    """A cue found at `text[start:end]`."""

    cue: str
    start: int
    end: int


def plain(text: str) -> str:
    """Lower case without accents, character for character, so that offsets stay the same."""
    return lower(fold(text)).translate(_bare())


def hits(text: str, languages: tuple[str, ...]) -> tuple[Hit, ...]:
    """The cues of a text in order, in these languages (in every one where none is named)."""
    bared = plain(text)
    index = _index(languages)
    found: dict[tuple[str, int], Hit] = {}
    for start in (match.start() for match in _START.finditer(bared)):
        for size in (3, 2, 1):
            for cue, phrases in index.get(bared[start : start + size], ()):
                match = _pattern(phrases).match(bared, start)
                if match:
                    found.setdefault((cue, match.end()), Hit(cue, start, match.end()))
    return tuple(_longest(list(found.values())))


def _longest(found: list[Hit]) -> Iterator[Hit]:
    """In order, without the words that a longer phrase around them turns into something else."""
    reach: dict[str, tuple[int, int]] = {}
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.end)):
        span = (hit.end, -hit.start)
        if hit.cue not in _OVERRULED or all(
            span >= other for cue, other in reach.items() if cue != hit.cue
        ):
            yield hit
        reach[hit.cue] = max(reach.get(hit.cue, span), span)


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a lexicon."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def _bare() -> dict[int, str]:
    """Latin letters without their accents; kana decompose too, and there they would change."""
    letters = {c: unicodedata.normalize("NFD", chr(c))[0].lower() for c in range(_LATIN_END)}
    return letters | {ord("ı"): "i"}


@cache
def _index(chosen: tuple[str, ...]) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """The phrases by their first letters: trying every phrase everywhere would be slow."""
    groups: dict[str, dict[str, set[str]]] = {}
    for cue, phrase in _phrases(chosen):
        groups.setdefault(_key(phrase), {}).setdefault(cue, set()).add(phrase)
    return {
        key: [(cue, frozenset(phrases)) for cue, phrases in sorted(cues.items())]
        for key, cues in groups.items()
    }


def _phrases(chosen: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for language in chosen or languages():
        path = _FOLDER / f"{language}.json"
        if path.is_file():
            lexicon = msgspec.json.decode(path.read_bytes(), type=dict[str, str | list[str]])
            for cue, phrases in lexicon.items():
                if isinstance(phrases, list):
                    yield from ((cue, plain(phrase)) for phrase in phrases if _key(phrase))


def _key(phrase: str) -> str:
    """The letters (three at most) with which every match of the phrase begins."""
    match = _KEY.match(plain(phrase).removeprefix("^"))
    return match[0] if match else ""


@cache
def _pattern(phrases: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_expression, sorted(phrases, key=lambda p: (-len(p), p)))))


def _expression(phrase: str) -> str:
    words = phrase.removeprefix("^").removesuffix("$")
    inner = re.escape(words).replace(r"\ \.\.\.\ ", r"\b" + _GAP + r"\b")
    inner = inner.replace(r"\.\.\.", _GAP).replace(r"\*", r"\w*").replace(r"\ ", r"[\s,]+")
    start = _CLAUSE_START if phrase.startswith("^") else ""
    if phrase.endswith("$"):
        return rf"{start}{inner}{_CLAUSE_END}"
    open_ended = _CJK.search(words) or not words[-1].isalnum()
    return start + (inner if open_ended else rf"{inner}(?!\w)")
