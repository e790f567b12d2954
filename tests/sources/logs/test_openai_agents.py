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


def response(name: str, before: str | None, asked: str, *output: Any, **more: Any) -> Any:
    given = [{"role": "user", "content": asked}] if asked else more.pop("input")
    said = {**ANSWER, "content": [{"type": "output_text", "text": f"{asked}!"}]}
    told = {"id": name, "previous_response_id": before, "input": given}
    return {**told, "output": list(output) or [said], **more}


def talks(found: list[Trajectory | Skipped]) -> dict[str, list[str]]:
    sessions = [item for item in found if isinstance(item, Trajectory)]
    return {item.session_id: [turn.content for turn in item.turns] for item in sessions}


def test_responses_that_name_the_one_before_are_one_session(tmp_path: Path) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "lookup", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "free"}
    rules = "Answer briefly."
    (found,) = read(
        tmp_path,
        response("r-3", "r-2", "And at night", instructions="Answer at length."),
        response("r-1", None, "Is it free", call, instructions=rules),
        response("r-2", "r-1", "", input=[output], instructions=rules),
    )
    assert isinstance(found, Trajectory)
    said = ["Is it free", "!", "And at night", "And at night!"]
    assert talks([found]) == {"r-1": said}
    prompts = [n.output for n in found.nodes if n.type == "system_prompt"]
    assert prompts == [{"content": rules}, {"content": "Answer at length."}]
    tool = next(node.tool for node in found.nodes if node.tool)
    assert (tool.name, tool.output) == ("lookup", "free")
    assert "reading" not in found.metadata


def test_a_chain_lies_in_files_as_well(tmp_path: Path) -> None:
    for row in (response("r-2", "r-1", "b"), response("r-1", None, "a")):
        (tmp_path / f"{row['id']}.json").write_text(json.dumps(row), "utf-8")
    found = list(openai_agents.convert(str(tmp_path)))
    assert talks(found) == {"r-1": ["a", "a!", "b", "b!"]}


def test_responses_of_one_conversation_are_one_session(tmp_path: Path) -> None:
    talk = {"conversation": {"id": "c-1"}}
    rows = [
        response("r-2", None, "b", created_at=20, **talk),
        response("r-1", None, "a", created_at=10, **talk),
        response("r-9", None, "z", conversation="c-2"),
    ]
    found = talks(read(tmp_path, *rows))
    assert found == {"c-1": ["a", "a!", "b", "b!"], "c-2": ["z", "z!"]}


def test_a_response_that_was_gone_on_from_twice_makes_two_sessions(tmp_path: Path) -> None:
    rows = [
        response("r-1", None, "a"),
        response("r-2", "r-1", "b"),
        response("r-3", "r-1", "c"),
    ]
    found = talks(read(tmp_path, *rows))
    assert found == {"r-1": ["a", "a!", "b", "b!"], "r-1-r-3": ["a", "a!", "c", "c!"]}


def test_a_chain_without_its_beginning_says_so(tmp_path: Path) -> None:
    found = one(tmp_path, response("r-2", "r-1", "b"))
    assert found.session_id == "r-2"
    assert found.metadata["reading"] == {"earlier_responses_missing": 1}


def test_a_response_that_was_recorded_twice_counts_once(tmp_path: Path) -> None:
    cut = response("r-1", None, "a", {"type": "reasoning", "summary": []})
    rows = [cut, response("r-1", None, "a"), response("r-2", "r-1", "b")]
    assert talks(read(tmp_path, *rows)) == {"r-1": ["a", "a!", "b", "b!"]}


@pytest.mark.parametrize("before", [("r-2", "r-1"), ("r-1", "r-2")], ids=["circle", "own"])
def test_responses_in_a_circle_are_read_once(tmp_path: Path, before: tuple[str, str]) -> None:
    rows = [response("r-1", before[0], "a"), response("r-2", before[1], "b")]
    found = [word for said in talks(read(tmp_path, *rows)).values() for word in said]
    assert sorted(found) == ["a", "a!", "b", "b!"]


def test_a_bad_response_breaks_no_other(tmp_path: Path) -> None:
    bad, whole = read(tmp_path, response("r-1", None, "a", 3), response("r-2", "r-1", "b"))
    assert isinstance(bad, Skipped)
    assert bad.where.endswith("s.jsonl:1")
    assert talks([whole]) == {"r-2": ["b", "b!"]}


def test_a_way_keeps_its_name_however_the_others_go_on(tmp_path: Path) -> None:
    first, second = response("r-1", None, "One"), response("r-2", "r-1", "Two")
    forked, further = response("r-3", "r-1", "Other"), response("r-4", "r-2", "Three")
    runs = [
        talks(read(tmp_path, *records))
        for records in (
            (first, second),
            (first, second, forked),
            (first, second, forked, further),
        )
    ]

    assert [list(found) for found in runs] == [["r-1"], ["r-1", "r-1-r-3"], ["r-1-r-3", "r-1"]]
    assert [found["r-1"][-2] for found in runs] == ["Two", "Two", "Three"]
    assert all(found["r-1-r-3"][-2] == "Other" for found in runs[1:])
