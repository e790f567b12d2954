"""Plain chats: a conversation a line, or a message a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.logs import chat, openai_chat


def read(tmp_path: Path, *values: Any) -> list[Trajectory | Skipped]:
    file = tmp_path / "c.jsonl"
    file.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return list(chat.convert(str(file)))


@pytest.mark.parametrize(
    "talk",
    [
        {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]},
        {"messages": [{"role": "user", "content": "Hi"}, {"role": "bot", "content": "Hello"}]},
        {"turns": [{"speaker": "Customer", "text": "Hi"}, {"speaker": "Agent", "text": "Hello"}]},
        {
            "conversation": [
                {"sender": "visitor", "message": "Hi"},
                {"sender": "ai", "text": "Hello"},
            ]
        },
    ],
)
def test_a_conversation_in_its_usual_words(tmp_path: Path, talk: Any) -> None:
    (found,) = read(tmp_path, {"id": "t-1", **talk})
    assert isinstance(found, Trajectory)
    assert found.session_id == "t-1"
    assert [(t.role, t.content) for t in found.turns] == [("user", "Hi"), ("assistant", "Hello")]


def test_messages_of_one_conversation_may_lie_apart(tmp_path: Path) -> None:
    lines = [
        {"session_id": name, "role": role, "content": f"{name} {role}"}
        for role in ("user", "assistant")
        for name in ("a", "b")
    ]
    found = [t for t in read(tmp_path, *lines) if isinstance(t, Trajectory)]
    assert [(t.session_id, t.turns[1].content) for t in found] == [
        ("a", "a assistant"),
        ("b", "b assistant"),
    ]


def test_a_vote_at_a_message_is_about_its_turn(tmp_path: Path) -> None:
    said = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        {"role": "bot", "content": "What?", "feedback": {"rating": "👎", "comment": "rude"}},
    ]
    (found,) = read(tmp_path, {"messages": said})
    assert isinstance(found, Trajectory)
    assert [(f.value, f.turn_id, f.comment) for f in found.feedback] == [(False, 2, "rude")]


@pytest.mark.parametrize("value", [3, {}, {"role": "user"}, {"messages": [3]}, {"messages": []}])
def test_what_is_no_chat_is_named_with_its_line(tmp_path: Path, value: Any) -> None:
    (found,) = read(tmp_path, value)
    assert isinstance(found, Skipped)
    assert found.where.endswith("c.jsonl:1")


def test_bytes_that_are_no_utf8_are_replaced_and_told(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    file.write_bytes('{"messages": [{"role": "user", "content": "Grüße"}]}'.encode("latin-1"))
    (found,) = openai_chat.convert(str(file))
    assert isinstance(found, Trajectory)
    assert found.turns[0].content == "Gr\ufffd\ufffde"
    assert found.metadata["reading"] == {"encoding_replaced": 2}


def test_a_score_that_is_no_number_is_no_vote(tmp_path: Path) -> None:
    said = '"messages": [{"role": "user", "content": "Hi"}]'
    scores = ("NaN", "-Infinity", "1e999", "0")
    file = tmp_path / "c.jsonl"
    file.write_text("".join(f'{{{said}, "feedback": {{"score": {s}}}}}\n' for s in scores))
    found = [t for t in openai_chat.convert(str(file)) if isinstance(t, Trajectory)]
    assert [len(t.feedback) for t in found] == [0, 0, 0, 1]
    assert found[0].metadata["reading"] == {"non_finite_number": 1}


def test_half_a_character_and_a_huge_number_do_not_cost_the_session(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    said = '{"role": "user", "content": "Hi \\ud83d"}'
    file.write_text(f'{{"messages": [{said}], "metadata": {{"n": {"9" * 5000}}}}}\n')
    (found,) = openai_chat.convert(str(file))
    assert isinstance(found, Trajectory)
    assert found.turns[0].content == "Hi ?"
    assert found.metadata["n"] == "9" * 5000
    assert found.metadata["reading"] == {"half_characters": 1}


def test_a_message_that_a_later_export_holds_again_was_said_once(tmp_path: Path) -> None:
    first = {"chat_id": "m", "role": "user", "content": "Open?", "created_at": "2026-03-01T10:00Z"}
    again = {**first, "created_at": "2026-03-01T10:05Z"}
    bare = {"chat_id": "m", "role": "user", "content": "Hello?"}
    for name, rows in (("a", [first, bare]), ("b", [first, again, bare])):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    (found,) = chat.convert(str(tmp_path))
    assert isinstance(found, Trajectory)
    said = ["Open?", "Hello?", "Open?", "Hello?"]
    assert [turn.content for turn in found.turns] == said
