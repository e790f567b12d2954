"""Detectors: when the model is asked, and which of its signals count."""

import pytest

from bot.engines.llm.client import scripted
from bot.engines.llm.detectors import Asked, screened, taxonomy, vanilla
from bot.engines.llm.options import ModelOptions
from bot.records.finding import Segment, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn

SEGMENT = Segment("segment-1", (1, 2, 3))
WORDS = "That is wrong"


def report(*signs, is_dsat=True):
    keys = ("signal_type", "turn_id", "evidence", "confidence")
    return {"signals": [dict(zip(keys, sign, strict=True)) for sign in signs], "is_dsat": is_dsat}


@pytest.fixture
def asked(trajectory):
    def make(answers, rules=(), session=trajectory, segment=SEGMENT) -> Asked:
        complete = scripted(answers).complete
        return Asked(session, segment, tuple(rules), complete, ModelOptions(model="m"))

    return make


def test_signals_with_the_users_own_words_count(asked, model):
    said = model(report(("CORRECTION", 3, "That  is wrong", 0.9)))
    assert taxonomy(asked(said)) == (Signal("CORRECTION", WORDS, 3, 0.9),)


@pytest.mark.parametrize(
    "sign",
    [
        ("CORRECTION", 3, "I never said this", 0.9),
        ("CORRECTION", 2, "That is wrong", 0.9),
        ("CORRECTION", 7, "That is wrong", 0.9),
        ("TOOL_EXECUTION_ERROR", 2, "No review", 0.9),
    ],
)
def test_a_signal_that_does_not_stand_is_dropped(asked, model, sign):
    assert taxonomy(asked(model(report(sign)))) == ()


def test_the_models_own_verdict_does_not_count(asked, model):
    assert taxonomy(asked(model(report(is_dsat=True)))) == ()


def test_a_tool_error_quotes_the_failed_node(asked, model):
    failed = ToolCall("sql", {}, None, "error", "no such table: t1")
    session = Trajectory(
        "s", (Turn(1, "user", "q"), Turn(2, "assistant", "a")),
        nodes=(Node("n1", 2, "sql_query", tool=failed),),
    )  # fmt: skip
    said = model(report(("TOOL_EXECUTION_ERROR", 2, "no such table: t1", 1.0)))
    (signal,) = taxonomy(asked(said, session=session, segment=Segment("g", (1, 2))))
    assert (signal.node_id, signal.evidence) == ("n1", "no such table: t1")
    assert "no such table" in said.last()


def test_explicit_feedback_stays_whatever_the_model_says(asked, model):
    thumbs = Signal("THUMBS_DOWN", WORDS, 3, 1.0, explicit=True)
    assert taxonomy(asked(model(report(is_dsat=False)), [thumbs])) == (thumbs,)


@pytest.mark.parametrize(
    "rules",
    [
        [Signal("THUMBS_DOWN", WORDS, 3, 0.1, explicit=True)],
        [Signal("CORRECTION", WORDS, 3, 0.9)],
    ],
)
def test_where_the_rules_are_sure_nobody_is_asked(asked, model, rules):
    said = model()
    assert screened(asked(said, rules)) == tuple(rules)
    assert said.seen == []


def test_where_nobody_answered_back_nobody_is_asked(asked, model):
    session = Trajectory("s", (Turn(1, "user", "q"), Turn(2, "assistant", "a")))
    said = model()
    assert screened(asked(said, session=session, segment=Segment("g", (1, 2)))) == ()
    assert said.seen == []


def test_a_doubt_is_put_to_the_model(asked, model):
    weak = Signal("NEGATIVE_SENTIMENT", WORDS, 3, 0.9)
    said = model(report(("CORRECTION", 3, WORDS, 0.8)))
    assert screened(asked(said, [weak]))[0].signal_type == "CORRECTION"
    assert len(said.seen) == 1


def test_vanilla_is_one_yes_or_no(asked, model):
    (signal,) = vanilla(asked(model({"is_dsat": True, "confidence": 0.8})))
    assert (signal.turn_id, signal.confidence) == (3, 0.8)
    assert vanilla(asked(model({"is_dsat": False, "confidence": 0.8}))) == ()
