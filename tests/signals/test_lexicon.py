"""Cues in a text: whole words, gaps, accents, offsets."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.signals import lexicon
from bot.signals.lexicon import hits, languages, plain

FOLDER = Path(lexicon.__file__).with_name("lexicons")


def cues(text: str, *spoken: str) -> set[str]:
    return {hit.cue for hit in hits(text, spoken)}


def test_quotes_stand_at_their_offsets() -> None:
    text = "Well. That's wrong, thank you."
    found = {(hit.cue, text[hit.start : hit.end]) for hit in hits(text, ("en",))}
    assert ("wrong", "That's wrong") in found
    assert ("thanks", "thank you") in found


@pytest.mark.parametrize("text", ["THAT'S WRONG", "that’s wrong", "that's  wrong", "that's\nwrong"])
def test_case_quotes_and_blanks_do_not_matter(text: str) -> None:
    assert "wrong" in cues(text, "en")


def test_accents_do_not_matter() -> None:
    assert cues("c'est errone", "fr") == cues("c'est erroné", "fr")


def test_words_match_whole() -> None:
    assert "thanks" not in cues("a thankless task", "en")
    assert "wrong" not in cues("wrongly billed", "en")


def test_gap_stays_in_the_sentence() -> None:
    assert "changed" in cues("it isn't open any more", "en")
    assert "changed" not in cues("it isn't open. Come in. any more", "en")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wrong.", True),
        ("Well, wrong, it is later", True),
        ("wrong - it is later", True),
        ("what went wrong?", False),
        ("the wrong platform", False),
    ],
)
def test_a_clause_of_its_own(text: str, found: bool) -> None:
    assert ("wrong" in cues(text, "en")) is found


def test_a_longer_phrase_overrules_the_words_in_it() -> None:
    assert cues("thanks for nothing", "en") >= {"complaint"}
    assert "thanks" not in cues("thanks for nothing", "en")
    assert "negation" not in cues("no, that's all", "en")
    assert "negation" in cues("no, never", "en")


def test_only_the_named_languages_are_looked_at() -> None:
    assert "wrong" not in cues("das stimmt nicht", "en")
    assert "wrong" in cues("das stimmt nicht", "de")
    assert "wrong" in cues("das stimmt nicht")


def test_ideographs_match_inside_a_run() -> None:
    assert "wrong" in cues("我觉得这不对啊", "zh")
    assert "wrong" in cues("それは間違っています。", "ja")


@pytest.mark.parametrize("language", languages())
def test_every_phrase_finds_itself(language: str) -> None:
    listed = msgspec.json.decode(FOLDER.joinpath(f"{language}.json").read_bytes())
    for cue, phrases in listed.items():
        for phrase in phrases if isinstance(phrases, list) else ():
            text = re.sub(r"[*^$]", "", phrase.replace("...", " so "))
            assert cue in cues(text, language), (language, cue, phrase)


@given(st.text(max_size=300))
def test_offsets_survive_any_text(text: str) -> None:
    assert len(plain(text)) == len(text)
    for hit in hits(text, ()):
        assert 0 <= hit.start < hit.end <= len(text)
