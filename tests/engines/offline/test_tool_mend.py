"""A tool's description follows what the tool said itself, else what its schema says."""

from __future__ import annotations

import json
from pathlib import Path

from bot.context.edit import apply_all
from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.engines.offline.library import library
from bot.engines.offline.mend.tool import describe
from bot.engines.offline.scene import scene
from bot.records.finding import Case, Detection, Hypothesis, Signal
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

SCHEMA = """CREATE TABLE parcels (
  parcel_id TEXT,
  promised_on DATE NOT NULL,
  delivered_at TIMESTAMP,
  weight INT, -- grams, as the scale sends it
  state TEXT CHECK (state IN ('DAY', 'NIGHT', 'WEEK', 'EXPRESS')),
  dwell INT, -- hours in the depot
  phase CHAR(1), -- S sorted | L loaded, on the van | X lost
  until DATE, -- first day not counted
  floor INT -- day or 2
);
"""
CODES = """field,code,meaning
lane,A,left of the door
lane,B,in the yard
"""
TOOL = {
    "name": "trend",
    "description": "One row a parcel. weight is in pounds. delivered_on is the day of delivery.",
    "input_schema": {
        "type": "object",
        "properties": {
            "step": {"type": "string", "enum": ["hour", "day", "week"]},
            "dwell": {"type": "integer", "description": "Stay in whole days."},
            "phase": {"type": "string", "description": "phase: S sorted, L lost, X taken back."},
            "lane": {"type": "string", "description": "A in the yard, B left of the door."},
            "until": {"type": "string", "description": "Last one counted in."},
            "floor": {"type": "integer", "enum": [1, 2, 3]},
        },
    },
}


def described(faulty: str, truth: str | None, error: str | None = None) -> str:
    texts = {
        "tools/t.json": json.dumps([TOOL], indent=2),
        "database/schema.sql": SCHEMA,
        "database/codes.csv": CODES,
    }
    components = (
        Component("tool_prompt", "tools/t.json"),
        Component("schema_hint", "database/codes.csv"),
        Component("schema_hint", "database/schema.sql"),
    )
    repo = ContextRepo(Path(), None, components, texts, {})
    status = "ok" if error is None else "error"
    call = ToolCall("trend", {"step": "hour"}, None, status=status, error=error)
    turns = (
        Turn(1, "user", "Show me the trend."),
        Turn(2, "assistant", "I can't."),
        Turn(3, "user", "Then never mind, the scale says grams."),
    )
    trajectory = Trajectory("s", turns, nodes=(Node("n1", 2, "tool_call", tool=call),))
    told = Detection(True, 1.0, signals=(Signal("CORRECTION", "grams", 3, 1.0),))
    view = scene(Case(trajectory, (), told), library(Index(repo)))
    units = view.index.units
    wrong = next(u for u in units if u.type == "tool_prompt" and faulty in u.text)
    right = next((u for u in units if truth is not None and truth in u.text), None)
    chosen = Hypothesis("TOOL_PROMPT_ERROR", "UPDATE", "tool_prompt", "tools/t.json", "n1", 1.0, "")
    edits = describe(view, chosen, wrong, right)
    return {**texts, **apply_all(edits, texts)}["tools/t.json"] or ""


def test_values_that_the_tool_names_take_the_place_of_the_listed_ones() -> None:
    after = described("hour", None, "step: 'hour' is not one of ['1h', '1d', '1w']")
    tool = json.loads(after)[0]
    assert tool["input_schema"]["properties"]["step"]["enum"] == ["1h", "1d", "1w"]
    assert tool["description"] == TOOL["description"]


def test_a_list_of_another_length_is_no_answer() -> None:
    after = described("hour", None, "step: use 1h or 1d")
    assert json.loads(after)[0]["input_schema"] == TOOL["input_schema"]


def test_only_the_unit_of_the_sentence_about_the_column_changes() -> None:
    after = json.loads(described("weight", "grams"))[0]["description"]
    assert after == str(TOOL["description"]).replace("pounds", "grams")


def parameter(name: str, faulty: str, truth: str) -> str:
    after = json.loads(described(faulty, truth))[0]
    return str(after["input_schema"]["properties"][name]["description"])


def test_the_unit_of_a_parameter_follows_its_column() -> None:
    assert parameter("dwell", "Stay in", "hours in the depot") == "Stay in hours."


def test_codes_follow_the_comment_in_the_form_of_the_description() -> None:
    after = parameter("phase", "phase: S", "S sorted |")
    assert after == "phase: S sorted; L loaded, on the van; X lost."


def test_codes_follow_a_table_with_a_row_for_each() -> None:
    after = parameter("lane", "A in the yard", "lane,A")
    assert after == "A left of the door, B in the yard."


def test_a_description_takes_the_words_of_the_comment_on_its_column() -> None:
    assert parameter("until", "Last one", "first day not counted") == "First day not counted."


def test_figures_do_not_make_room_for_words() -> None:
    after = json.loads(described("1,\n", "day or 2"))[0]
    assert after["input_schema"]["properties"]["floor"]["enum"] == [1, 2, 3]


def test_a_word_of_sql_takes_no_name_s_place() -> None:
    after = json.loads(described("delivered_on", "promised_on"))[0]["description"]
    assert "NULL" not in after


def test_a_name_that_the_table_has_otherwise_is_exchanged() -> None:
    after = json.loads(described("delivered_on", "promised_on"))[0]["description"]
    assert after == str(TOOL["description"]).replace("delivered_on", "delivered_at")


def test_values_that_a_column_holds_take_the_place_of_a_list_that_has_some_of_them() -> None:
    after = described("hour", "EXPRESS")

    assert json.loads(after)[0]["input_schema"]["properties"]["step"]["enum"] == [
        "DAY",
        "NIGHT",
        "WEEK",
        "EXPRESS",
    ]
