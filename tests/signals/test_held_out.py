"""Suites judged by what the others taught."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.bench.suite import Label, LabelSignal, Suite
from bot.errors import ConfigError
from bot.records.trajectory import Trajectory, Turn
from bot.signals.held_out import Verdict, f1, held_out, precision, recall, report

GOOD = ("Great, thank you!", "ok", "And on Sunday?")
BAD = (
    "That's wrong.",
    "Useless, that is not what I asked.",
    "No, it closes at 18:00, says the sign.",
)


def suite(name: str) -> Suite:
    talks, labels = [], {}
    for number, said in enumerate((*GOOD, *BAD)):
        key = f"{name}-{number}"
        turns = (
            Turn(1, "user", "When does the pool close?"),
            Turn(2, "assistant", "The pool closes at 20:00."),
            Turn(3, "user", said),
        )
        talks.append(Trajectory(key, turns))
        marked = (LabelSignal("CORRECTION", said, 3),) if said in BAD else ()
        labels[key] = Label(key, is_dsat=said in BAD, signals=marked)
    return Suite(name, Path(name), tuple(talks), labels, (), ())


def test_every_session_is_judged_once() -> None:
    verdicts = list(held_out([suite("a"), suite("b")]))
    assert [v.session_id for v in verdicts] == [f"{n}-{i}" for n in "ab" for i in range(6)]
    assert f1(verdicts) == 1.0


def test_one_suite_leaves_nothing_to_learn_from() -> None:
    with pytest.raises(ConfigError, match="two suites"):
        list(held_out([suite("a")]))


def test_measures_count_what_they_say() -> None:
    pairs = [(True, True), (True, True), (True, False), (False, True), (False, False)]
    verdicts = [Verdict("a", str(n), *pair) for n, pair in enumerate(pairs)]
    assert precision(verdicts) == pytest.approx(2 / 3)
    assert recall(verdicts) == pytest.approx(2 / 3)
    assert f1(verdicts) == pytest.approx(2 / 3)
    assert "- missed: a 2\n- alarm: a 3" in report(verdicts)


def test_measures_without_a_base_are_not_made_up() -> None:
    content = [Verdict("a", "1", wanted=False, found=False)]
    assert (precision(content), recall(content), f1(content)) == (None, None, None)
    assert "–" in report(content)
