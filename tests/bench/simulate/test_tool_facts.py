"""Contradictions that a tool definition can hold, and right calls of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.bench.simulate.tool_facts import sample, tool_facts
from bot.context.read import read_repo

TOOL = {
    "name": "book",
    "description": "Books a stay.",
    "input_schema": {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["one_way", "round_trip"]},
            "day": {"type": "string", "description": "The day, in the format YYYY-MM-DD."},
            "price": {"type": "number", "description": "What it costs."},
            "note": {"type": "string"},
        },
        "required": ["kind", "day"],
    },
}
WORDS = {"optional": ["Optional; may be left out."], "cents": ["In cents.", "in whole units"]}


def found(tmp_path: Path, value: Any) -> tuple[Any, ...]:
    place = tmp_path / "tools" / "tools.json"
    place.parent.mkdir()
    place.write_text(json.dumps(value, indent=1), "utf-8")
    repo = read_repo(tmp_path, history=())
    return tool_facts(repo, WORDS), repo.texts["tools/tools.json"]


def test_each_fact_makes_one_readable_contradiction(tmp_path: Path) -> None:
    facts, text = found(tmp_path, [TOOL])
    kinds = {(fact.parameter, fact.kind) for fact in facts}
    assert kinds == {
        ("kind", "member"),
        ("day", "format"),
        ("day", "optional"),
        ("price", "unit"),
    }
    for fact in facts:
        changed = text[: fact.start] + fact.wrong + text[fact.end :]
        (tool,) = json.loads(changed)
        assert tool["name"] == "book"
        assert tool != TOOL


def test_a_sample_call_keeps_the_schema() -> None:
    call = sample(TOOL)
    assert set(call) == {"kind", "day"}
    assert call["kind"] == "one_way"
    assert len(call["day"]) == 10
    assert sample(TOOL) == call


def test_a_tool_inside_functions_is_found(tmp_path: Path) -> None:
    nested = {"type": "function", "function": {**TOOL, "parameters": TOOL["input_schema"]}}
    facts, _ = found(tmp_path, nested)
    assert {fact.tool for fact in facts} == {"book"}
    assert {fact.kind for fact in facts} == {"member", "format", "optional", "unit"}
