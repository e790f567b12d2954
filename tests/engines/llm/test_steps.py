"""What the agent did, a line a step."""

import pytest
from msgspec.structs import replace

from bot.engines.llm.steps import steps
from bot.records.trajectory import Node, ToolCall

POLICY, SKILL = "knowledge_base/policies/P-1.md", "skills/pay/SKILL.md"
ABOUT = ("No review is needed below $50,000.", "It has been $25,000 for a year.")


@pytest.fixture
def told(trajectory, repo):
    """The line of one step."""

    def line(node: Node) -> str:
        (found,) = steps([node.node_id], replace(trajectory, nodes=(node,)), repo, ABOUT)
        return found

    return line


def test_of_a_search_the_files_that_it_found_and_their_nearest_lines_are_told(told):
    found = [
        {"path": f"/{SKILL}", "snippet": "Invoices under $50,000 skip the review."},
        {"path": POLICY, "snippet": "Nothing else to see here."},
    ]
    node = Node("n1", 2, "kb_search", tool=ToolCall("find", {"query": "review"}, found))
    assert told(node) == (
        f'n1 (turn 2) find review → {SKILL}, {POLICY} "Invoices under $50,000 skip the review."'
    )
    empty = replace(node, tool=replace(node.tool, output=[]))
    assert told(empty) == "n1 (turn 2) find review → nothing"


def test_of_a_text_the_lines_nearest_to_answer_and_complaint_are_told(told):
    page = "# Pay\n\nPay on time.\n\nThe limit is 50,000.\n\nSince 2025 it is 25,000.\n"
    node = Node("n1", 2, "kb_read", tool=ToolCall("read", {"path": SKILL}, {"content": page}))
    line = '"The limit is 50,000." / "Since 2025 it is 25,000."'
    assert told(node) == f"n1 (turn 2) read {SKILL} → {line}"


def test_of_a_query_the_filter_is_kept_and_of_its_rows_what_was_asked_about(told):
    query = "SELECT " + ", ".join(f"column_{n}" for n in range(80)) + " FROM t WHERE kind = 'x'"
    rows = [{"n": n, "note": f"row {n}"} for n in range(60)] + [{"note": "below $50,000"}]
    node = Node("n1", 2, "sql_query", tool=ToolCall("run_sql", {"sql": query}, rows))
    asked, back = told(node).split(" → ")
    assert "SELECT column_0" in asked
    assert asked.endswith("FROM t WHERE kind = 'x'")
    assert "below $50,000" in back
    assert len(told(node)) < 700


def test_an_error_is_told_and_what_was_thought_and_said_is_not_repeated_in_full(told):
    failed = ToolCall("pay", {"no": 7}, status="error", error="refused: no such method")
    assert told(Node("n1", 2, "tool_call", tool=failed)) == (
        "n1 (turn 2) pay 7 → error: refused: no such method"
    )
    thought = Node("n1", 2, "reasoning", reasoning="It is " + "very " * 200 + "likely 50,000.")
    assert told(thought).endswith("likely 50,000.")
    assert len(told(thought)) < 300
    answer = Node("n1", 2, "response_generation", output={"response": "No."})
    assert told(answer) == "n1 (turn 2) response_generation"


def test_any_json_is_told_as_one_line(told):
    for output in (None, 7, "", [[]], {"a": {"b": None}}, "a\nb", {"path": 3}):
        for kind in ("tool_call", "kb_read", "kb_search", "sql_query"):
            line = told(Node("n1", 1, kind, tool=ToolCall("t", {"x": [1, {"y": None}]}, output)))
            assert line.startswith("n1 (turn 1) t ")
            assert "\n" not in line
