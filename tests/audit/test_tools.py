"""Tool descriptions against the schema."""

from __future__ import annotations

import json

from tests.audit.conftest import Audited

SCHEMA = """CREATE TABLE yard.berths (
    berth_id    TEXT PRIMARY KEY,
    state       TEXT CHECK (state IN ('FREE', 'TAKEN', 'CLOSED')),
    survey_day  DATE
);
CREATE TABLE yard.cranes (
    crane_id    TEXT PRIMARY KEY,
    checked_on  DATE
);
"""


def tool(description: str, **properties: object) -> str:
    schema = {"type": "object", "properties": properties}
    return json.dumps(
        [{"name": "query_berths", "description": description, "input_schema": schema}], indent=2
    )


def test_a_value_that_the_column_does_not_have(audited: Audited) -> None:
    tools = tool("Find berths.", state={"type": "string", "enum": ["open", "busy"]})
    (found,) = audited({"tools/yard.json": tools, "database/schema.sql": SCHEMA})
    assert "'open', 'busy'" in found.message
    assert found.there is not None
    assert (found.there.path, found.there.line) == ("database/schema.sql", 3)
    assert found.outweighs == "database/schema.sql"


def test_a_sentence_that_lists_other_values(audited: Audited) -> None:
    tools = tool("One row a berth. The state is OPEN or BUSY.")
    (found,) = audited({"tools/yard.json": tools, "database/schema.sql": SCHEMA})
    assert "'OPEN', 'BUSY'" in found.message


def test_a_column_of_another_table(audited: Audited) -> None:
    tools = tool("The table berths is filtered by checked_on.")
    (found,) = audited({"tools/yard.json": tools, "database/schema.sql": SCHEMA})
    assert found.message == "the table 'berths' has no column 'checked_on'; 'cranes' has"


def test_what_the_schema_bears_out_stays_quiet(audited: Audited) -> None:
    tools = tool(
        "The table berths is filtered by survey_day; state is FREE, TAKEN or CLOSED.",
        state={"type": "string", "enum": ["free", "taken"]},
        colour={"type": "string", "enum": ["red", "green"]},
    )
    assert audited({"tools/yard.json": tools, "database/schema.sql": SCHEMA}) == ()


def test_without_a_schema_nothing_is_refuted(audited: Audited) -> None:
    assert audited({"tools/yard.json": tool("The state is OPEN or BUSY.")}) == ()
