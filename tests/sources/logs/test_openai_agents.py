"""OpenAI Agents and Responses items in the shapes that people keep them in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.logs import openai_agents

USER = {"role": "user", "content": "Is the lift free?"}
ANSWER = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "From six on."}],
}


def read(tmp_path: Path, *values: Any, name: str = "s.jsonl") -> list[Trajectory | Skipped]:
    file = tmp_path / name
    file.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return list(openai_agents.convert(str(file)))


def one(tmp_path: Path, value: Any) -> Trajectory:
    (found,) = read(tmp_path, value)
    assert isinstance(found, Trajectory)
    return found


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ([USER, ANSWER], "s"),
        ({"items": [USER, ANSWER], "session_id": "a-1"}, "a-1"),
        ({"input": [USER], "output": [ANSWER], "conversation": {"id": "c-1"}, "id": "r"}, "c-1"),
        ({"input": USER["content"], "output": [ANSWER], "id": "r-1"}, "r-1"),
    ],
)
def test_a_session_in_any_of_its_shapes(tmp_path: Path, value: Any, name: str) -> None:
    found = one(tmp_path, value)
    assert found.session_id == name
    assert [turn.content for turn in found.turns] == ["Is the lift free?", "From six on."]


def test_lines_are_sessions_and_a_bad_one_is_named(tmp_path: Path) -> None:
    first, bad, odd, last = read(tmp_path, [USER], {"x": 1}, [3], [USER])
    assert isinstance(first, Trajectory)
    assert isinstance(last, Trajectory)
    assert (first.session_id, last.session_id) == ("s", "s-4")
    assert isinstance(bad, Skipped)
    assert bad.where.endswith("s.jsonl:2")
    assert isinstance(odd, Skipped)
    assert "item 1" in odd.reason


def test_a_tool_of_the_provider_holds_its_own_answer(tmp_path: Path) -> None:
    results = [{"filename": "lift.md", "score": 0.7, "text": "Free from six on."}]
    call = {"type": "file_search_call", "id": "f", "queries": ["lift", "fee"], "results": results}
    search = one(tmp_path, [USER, call, ANSWER]).nodes[1]
    assert search.type == "kb_search"
    assert search.tool is not None
    assert search.tool.input == {"query": "lift fee"}
    assert search.tool.output == {"results": results}


def test_a_refusal_is_an_answer(tmp_path: Path) -> None:
    refusal = {**ANSWER, "content": [{"type": "refusal", "refusal": "I may not."}]}
    assert one(tmp_path, [USER, refusal]).turns[-1].content == "I may not."


@pytest.mark.parametrize("kind", ["function_call", "custom_tool_call", "mcp_call"])
def test_a_call_meets_its_output(tmp_path: Path, kind: str) -> None:
    call = {"type": kind, "call_id": "c", "name": "lookup", "arguments": '{"lift": 3}'}
    output = {
        "type": f"{kind}_output",
        "call_id": "c",
        "output": [{"type": "input_text", "text": "free"}],
    }
    tool = one(tmp_path, [USER, call, output]).nodes[1].tool
    assert tool is not None
    assert (tool.name, tool.input, tool.output) == ("lookup", {"lift": 3}, "free")
