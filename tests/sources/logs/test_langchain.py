"""LangChain's three shapes of one message, and the states that hold them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.logs import langchain

CALL = {"name": "search_docs", "args": {"query": "fee"}, "id": "c1", "type": "tool_call"}
TALK: list[tuple[str, dict[str, Any]]] = [
    ("human", {"content": "What is the fee?"}),
    ("ai", {"content": [{"type": "thinking", "thinking": "Look it up."}], "tool_calls": [CALL]}),
    ("tool", {"content": "permission denied", "tool_call_id": "c1", "status": "error"}),
    ("ai", {"content": "I cannot see it.", "response_metadata": {"model_name": "m-1"}}),
]
CLASSES = {"human": "HumanMessage", "ai": "AIMessageChunk", "tool": "ToolMessage"}
SHAPES = {
    "messages_to_dict": [{"type": kind, "data": fields} for kind, fields in TALK],
    "model_dump": [{"type": kind, **fields} for kind, fields in TALK],
    "dumpd": [
        {"lc": 1, "type": "constructor", "id": ["langchain", CLASSES[kind]], "kwargs": fields}
        for kind, fields in TALK
    ],
}


def read(tmp_path: Path, value: Any) -> list[Trajectory | Skipped]:
    file = tmp_path / "t.json"
    file.write_text(json.dumps(value), "utf-8")
    return list(langchain.convert(str(file)))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_shapes_of_a_message_read_alike(tmp_path: Path, shape: str) -> None:
    (found,) = read(tmp_path, SHAPES[shape])
    assert isinstance(found, Trajectory)
    assert [t.content for t in found.turns] == ["What is the fee?", "I cannot see it."]
    assert [node.type for node in found.nodes] == [
        "user_query_processing",
        "reasoning",
        "kb_search",
        "response_generation",
    ]
    tool = found.nodes[2].tool
    assert tool is not None
    assert (tool.input, tool.status, tool.error) == ({"query": "fee"}, "error", "permission denied")
    assert found.agent is not None
    assert found.agent.model == "m-1"


@pytest.mark.parametrize(
    ("state", "name"),
    [
        ({"messages": SHAPES["model_dump"]}, "t"),
        ({"thread_id": "a", "values": {"messages": SHAPES["model_dump"]}}, "a"),
        (
            {
                "checkpoint": {"channel_values": {"messages": SHAPES["model_dump"]}},
                "config": {"configurable": {"thread_id": "b"}},
            },
            "b",
        ),
        ({"metadata": {"thread_id": "c"}, "state": {"messages": SHAPES["model_dump"]}}, "c"),
    ],
)
def test_a_state_in_any_of_its_frames(tmp_path: Path, state: Any, name: str) -> None:
    (found,) = read(tmp_path, state)
    assert isinstance(found, Trajectory)
    assert (found.session_id, len(found.turns)) == (name, 2)


def test_of_several_snapshots_of_a_thread_the_fullest_counts(tmp_path: Path) -> None:
    full = SHAPES["model_dump"]
    states = [{"thread_id": "a", "values": {"messages": m}} for m in (full[:1], full, full[:2])]
    other = {"thread_id": "b", "values": {"messages": full[:1]}}
    found = read(tmp_path, [*states, other])
    sizes = [(t.session_id, len(t.turns)) for t in found if isinstance(t, Trajectory)]
    assert sizes == [("a", 2), ("b", 1)]


def test_calls_of_older_messages_and_calls_that_are_none(tmp_path: Path) -> None:
    function = {"name": "pay", "arguments": '{"sum": 3}'}
    older = {
        "type": "ai",
        "content": "",
        "additional_kwargs": {"tool_calls": [{"id": "x", "function": function}]},
    }
    broken = {
        "type": "ai",
        "content": "",
        "invalid_tool_calls": [{"id": "y", "name": "pay", "args": "{sum"}],
    }
    (found,) = read(tmp_path, [SHAPES["model_dump"][0], older, broken])
    assert isinstance(found, Trajectory)
    calls = [node.tool for node in found.nodes if node.tool]
    assert [(c.name, c.input, c.status) for c in calls] == [
        ("pay", {"sum": 3}, "ok"),
        ("pay", "{sum", "error"),
    ]


@pytest.mark.parametrize("value", [3, {"a": 1}, [], ["x"], {"messages": [3]}, {"messages": []}])
def test_what_is_no_thread_is_named(tmp_path: Path, value: Any) -> None:
    (found,) = read(tmp_path, value)
    assert isinstance(found, Skipped)
    assert found.where.endswith("t.json")
