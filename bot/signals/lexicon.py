"""Cues: phrases that tell what a sentence does, read from `lexicons/` and matched at once."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import msgspec

from bot.provenance.language import fold, lower

_GAP = r"(?:[^.!?。！？\n]{0,40}?)"
_CJK = re.compile(r"[぀-ヿ一-鿿]")
_LATIN_END = 0x250


def plain(text: str) -> str:
    """Lower case without accents, character for character, so that offsets stay the same."""
    return "".join(_bare(c) for c in lower(fold(text)))


@cache
def _bare(character: str) -> str:
    if character == "ı":
        return "i"
    # Kana decompose too, and there the mark makes another letter.
    if ord(character) < _LATIN_END:
        return unicodedata.normalize("NFD", character)[0]
    return character


@cache
def pattern(cue: str, languages: tuple[str, ...]) -> re.Pattern[str]:
    """All phrases of a cue in these languages (in every one where none is named)."""
    listed = _read(cue)
    phrases = [p for lang in (languages or tuple(listed)) for p in listed.get(lang, ())]
    ordered = sorted({plain(p) for p in phrases}, key=lambda p: (-len(p), p))
    return re.compile("|".join(map(_expression, ordered)) or r"(?!)")


def _expression(phrase: str) -> str:
    """A phrase as a regular expression: `*` is the rest of a word, `...` up to forty characters."""
    inner = re.escape(phrase).replace(r"\ \.\.\.\ ", r"\b" + _GAP + r"\b")
    inner = inner.replace(r"\.\.\.", _GAP).replace(r"\*", r"\w*").replace(r"\ ", r"[\s,]+")
    return inner if _CJK.search(phrase) else rf"(?<!\w){inner}(?!\w)"


@cache
def _read(cue: str) -> dict[str, list[str]]:
    path = Path(__file__).with_name("lexicons") / f"{cue}.json"
    table: dict[str, list[str]] = msgspec.json.decode(path.read_bytes())
    return {language: phrases for language, phrases in table.items() if language != "note"}
