"""A field that a tool measures otherwise than the schema's comment on it."""

from __future__ import annotations

import json

import pytest

from tests.audit.conftest import Audited

SQL = """\
CREATE TABLE berth (
  id       integer PRIMARY KEY,
  stay     integer,        -- hours, from the first line ashore
  fee      integer,        -- minor units (cents)
  share    smallint,       -- per mille of the quay
  until    date,           -- first day on which the berth is free again
  period   char(7),        -- 'YYYY-MM'
  seen_at  timestamp,      -- UTC
  dues     numeric         -- gross, with tax
);
CREATE TABLE crane (
  id       integer PRIMARY KEY,
  stay     integer         -- minutes at the hook
);
"""


def tools(said: str, parameter: str = "berth") -> dict[str, str]:
    listed = [
        {
            "name": "harbour_query",
            "description": "Reads a table.",
            "parameters": {
                "type": "object",
                "properties": {parameter: {"type": "string", "description": said}},
            },
        }
    ]
    return {"tools/tools.json": json.dumps(listed, indent=1), "database/schema.sql": SQL}


@pytest.mark.parametrize(
    "said",
    [
        "stay is in days.",
        "stay counts days, seven are a week.",
        "One row a ship. fee is the sum in EUR.",
        "share is in percent.",
        "until is the last day of the berth.",
        "period is written YYYYMM, always filter on it.",
        "seen_at is local time.",
        "dues are net.",
    ],
)
def test_another_measure_than_the_schema_s_is_found(audited: Audited, said: str) -> None:
    (found,) = audited(tools(said))
    assert (found.check, found.here.path) == ("measures", "tools/tools.json")
    assert found.outweighs == "database/schema.sql"


@pytest.mark.parametrize(
    "said",
    [
        "stay is in hours; a day has 24 of them.",
        "fee is in cents.",
        "share is per mille of the quay, 10 are one percent.",
        "until is the first day of the next stay.",
        "period is written YYYY-MM.",
        "seen_at is UTC, local time is two hours on.",
        "The tide is told in days. stay is a number.",
        "One row a ship and stay.",
    ],
)
def test_the_same_measure_in_other_words_is_none(audited: Audited, said: str) -> None:
    assert audited(tools(said)) == ()


def test_a_parameter_is_measured_as_its_column(audited: Audited) -> None:
    (found,) = audited(tools("Share in percent.", "share"))
    assert "'share' is 'percent' here, 'per mille' in the schema" in found.message
    assert audited(tools("Share in per mille.", "share")) == ()


def test_a_column_of_several_tables_is_none_without_the_table(audited: Audited) -> None:
    """`stay` is hours in one table and minutes in the other."""
    assert audited(tools("stay is in days.", "table")) == ()
    assert len(audited(tools("stay is in days.", "crane"))) == 1


def test_a_view_without_types_has_columns_too(audited: Audited) -> None:
    view = "CREATE VIEW berth AS SELECT\n  id,\n  stay   -- HOURS; a day is 24\nFROM b;\n"
    files = tools("stay is in days.") | {"database/schema.sql": view}
    assert len(audited(files)) == 1
