"""Which node showed which unit."""

from __future__ import annotations

import json
from pathlib import Path

from bot.context.repo import ContextRepo
from bot.context.search import Index
from bot.provenance.seen import seen
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from context_repo_schema.component import Component

FEES = "# Fees\n\n## Devices\n\nA router costs 120.\n\n## Mobile\n\nA SIM card costs 9.90.\n"
TOOLS = json.dumps(
    [
        {
            "name": "run_sql",
            "description": "Run one statement.",
            "input_schema": {"properties": {"query": {"description": "A single statement."}}},
            "schema_hints": {"usage_daily": "Filter on the day.", "invoices": "Amounts in euro."},
        }
    ]
)


def index() -> Index:
    texts = {"kb/fees.md": FEES, "tools/t.json": TOOLS}
    components = (Component("kb_entry", "kb/fees.md"), Component("tool_prompt", "tools/t.json"))
    return Index(ContextRepo(Path(), None, components, texts, {}))


def session(*nodes: Node) -> Trajectory:
    return Trajectory("s", (Turn(1, "user", "hi"),), nodes=nodes)


def read(node_id: str, path: str, content: str) -> Node:
    call = ToolCall("read", {"path": path}, {"path": path, "content": content})
    return Node(node_id, 2, "kb_read", tool=call)


def shown(trajectory: Trajectory, text: str) -> tuple[int, ...]:
    found = index()
    number = next(n for n, u in enumerate(found.units) if u.text == text)
    return seen(trajectory, found).units.get(number, ())


def test_a_section_shows_only_its_own_units() -> None:
    trajectory = session(read("a", "kb/fees.md", "## Mobile\n\nA SIM card costs 9.90."))

    assert shown(trajectory, "A SIM card costs 9.90.") == (0,)
    assert shown(trajectory, "A router costs 120.") == ()


def test_every_node_that_showed_a_unit_is_listed_the_first_one_first() -> None:
    trajectory = session(read("a", "fees.md", FEES), read("b", "root/kb/fees.md", FEES))

    assert shown(trajectory, "A router costs 120.") == (0, 1)


def test_search_results_name_the_file_of_each_passage() -> None:
    results = {"results": [{"path": "kb/fees.md", "content": "A router costs 120."}]}
    trajectory = session(Node("a", 2, "kb_search", tool=ToolCall("find", {"query": "x"}, results)))

    assert shown(trajectory, "A router costs 120.") == (0,)


def test_a_hint_counts_for_the_query_that_names_its_table() -> None:
    calls = [
        Node(
            "a", 2, "sql_query", tool=ToolCall("db.run_sql", {"query": "SELECT 1 FROM bw.invoices"})
        ),
        Node("b", 2, "sql_query", tool=ToolCall("other", {"query": "SELECT 1 FROM usage_daily"})),
    ]

    assert shown(session(*calls), "Amounts in euro.") == (0,)
    assert shown(session(*calls), "Filter on the day.") == (1,)
    assert shown(session(*calls), "Run one statement.") == (0, 1)


def test_a_foreign_output_shows_nothing() -> None:
    trajectory = session(read("a", "elsewhere.md", "A router costs 120."))

    assert shown(trajectory, "A router costs 120.") == ()
