"""A bug is told by its kind and place; what the world refuses comes through."""

from __future__ import annotations

import logging

import pytest

from bot.errors import GitHubError
from bot.isolate import Broken, isolated


def broken() -> int:
    raise ValueError("ghp_secret of a session")


def refused() -> int:
    raise GitHubError("no answer")


def test_an_answer_is_handed_on() -> None:
    assert isolated("a unit", lambda: 3) == 3


def test_a_bug_is_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "trace-bot"):
        answer = isolated("a unit", broken)
    assert isinstance(answer, Broken)
    assert answer.reason.startswith("ValueError in broken:")
    assert "secret" not in caplog.text


def test_what_every_unit_would_meet_ends_the_run() -> None:
    with pytest.raises(GitHubError):
        isolated("a unit", refused)
    with pytest.raises(KeyboardInterrupt):
        isolated("a unit", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
