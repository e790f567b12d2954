"""Every template of every language can be said."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.bench.simulate.phrases import LANGUAGES, Talk, file, fill, reworded, speaks, words

NAMES = ["topic", "subject", "term", "source", "right", "wrong", "rule", "title"]
SLOTS = {n: f"<{n}>" for n in [*NAMES, "claimed", "parameter", "value", "quote", "month"]}
ACTS = [
    (language, f"{who}.{act}")
    for language in LANGUAGES
    for who in ("user", "agent", "source")
    for act, found in file(language)[who].items()
    if isinstance(found, list)
]


@pytest.mark.parametrize(("language", "act"), ACTS)
def test_every_template_is_filled(language: str, act: str) -> None:
    talk = Talk("1")
    for _ in range(3 * len(words(language, act))):
        said = talk.say(language, act, SLOTS)
        assert "{" not in said
        assert "|" not in said
        assert "  " not in said.strip()


def test_templates_come_round_before_they_repeat() -> None:
    talk = Talk("1")
    count = len(words("en", "user.thanks_hard"))
    openings = [talk.say("en", "user.thanks_hard", {})[-12:] for _ in range(count)]
    assert max(Counter(openings).values()) == 1


def test_a_slot_is_never_read_as_a_template() -> None:
    assert fill("{topic}!", {"topic": "{rule} (a|b)", "rule": "no"}) == "{rule} (a|b)!"
    assert fill("{unknown}", {}) == "{unknown}"


def test_a_language_without_an_act_speaks_english() -> None:
    assert not speaks("it", "user.missing")
    assert "RULE" in Talk("1").say("it", "user.missing", {"rule": "RULE", "source": "x"})


def test_rewording_keeps_what_it_does_not_know() -> None:
    import random

    said = {reworded("You must pay at least 5.", "en", random.Random(n)) for n in range(30)}
    assert len(said) > 2
    assert all("pay" in one and "5" in one for one in said)
