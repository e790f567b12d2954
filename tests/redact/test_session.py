"""Ids that can stand anywhere, commits that are commits, and no names of the list."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.defang import visible
from bot.records.trajectory import Agent, Feedback, Node, ToolCall, Trajectory, Turn
from bot.redact import STRICT, Privacy, redact_id
from bot.redact.session import LONGEST_ID, guarded, safe_id
from tests.hostile import HOSTILE

NAMES = Privacy(names=("Jane Doe",))


def spoken(words: str, session_id: str = "s-1", **more: str) -> Trajectory:
    tool = ToolCall("ask Jane Doe", {"who": words}, {"rows": [words, 1]}, "error", words)
    return Trajectory(
        session_id,
        (Turn(1, "user", words),),
        nodes=(Node("n-1", 1, "tool_call", words, words, {"deep": [words]}, tool),),
        feedback=(Feedback("comment", words, comment=words), Feedback("thumbs", False)),
        agent=Agent(context_commit=more.get("commit")),
        metadata={"user_id": words},
    )


@pytest.mark.parametrize(
    "name",
    ["s-1", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "thread_q8Zx1vR7tLm3Wn5Yb0Kp2HsD", "è#1"],
)
def test_a_safe_id_stays(name: str) -> None:
    assert safe_id(name, STRICT) == name


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("jane.doe@corp.example/2024", "jane.doe"),
        ("a\u202eb", "\u202e"),
        ("a\x1b[31mb", "\x1b"),
        ("two\nlines", "\n"),
        ("ghp_\u200b" + "a1B2" * 9, "a1B2"),
        ("x" * 5000, "x" * 201),
    ],
)
def test_an_unsafe_id_is_shown_as_far_as_it_may_be_and_told_apart(name: str, gone: str) -> None:
    shown, other = safe_id(name, STRICT), safe_id(f"{name}2", STRICT)
    assert gone not in shown
    assert shown != other
    assert safe_id(name, STRICT) == shown


@given(name=st.sampled_from(HOSTILE) | st.text(min_size=1, max_size=300))
def test_any_id_ends_up_short_visible_and_clean(name: str) -> None:
    shown = safe_id(name, STRICT)
    assert len(shown) <= LONGEST_ID
    assert visible(shown) == shown
    assert redact_id(shown) == shown
    assert safe_id(shown, STRICT) == shown


def test_ids_of_nodes_and_stamps_are_made_safe_too() -> None:
    session = spoken("hello", "mail-a@b.example")
    session = msgspec.structs.replace(
        session,
        started_at="at a@b.example",
        nodes=(msgspec.structs.replace(session.nodes[0], node_id="n a@b.example"),),
    )
    known = guarded(session, STRICT)
    assert "a@b.example" not in str(known)
    assert known.turns == session.turns


@pytest.mark.parametrize(
    ("commit", "kept"),
    [("0f" * 20, "0f" * 20), ("hunter2horse9", None), ("", None), ("main", None)],
)
def test_only_a_commit_passes_for_one(commit: str, kept: str | None) -> None:
    agent = guarded(spoken("hello", commit=commit), STRICT).agent
    assert agent
    assert agent.context_commit == kept


def test_names_of_the_list_are_gone_wherever_somebody_spoke() -> None:
    known = guarded(spoken("I am Jane Doe."), NAMES)
    assert str(known).count("I am [redacted:NAME].") == 9
    # The one who spoke is told from others by it, and the tool's name is no word of a session.
    assert known.metadata == {"user_id": "I am Jane Doe."}
    assert guarded(spoken("I am Jane Doe."), STRICT) == spoken("I am Jane Doe.")
