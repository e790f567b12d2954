"""Rules for node types in `trace-bot.yaml`: read in order, and wrong ones named with their line."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.records.trajectory import NodeType
from context_repo_schema.config import NodeRule, ToolNodeType
from context_repo_schema.load import parse_config

RULES = """\
node_types:
  kb_read:
    - {tool: "wiki_*", path: "docs/{input.page}.md"}
    - tool: call_api
      where: {input.endpoint: "/pages/*"}
  sql_query:
    - {tool: run_report}
"""


def test_rules_are_read_in_the_order_of_the_file() -> None:
    loaded = parse_config(RULES)
    assert loaded.problems == ()
    assert loaded.config.node_types == {
        "kb_read": (
            NodeRule("wiki_*", path="docs/{input.page}.md"),
            NodeRule("call_api", {"input.endpoint": "/pages/*"}),
        ),
        "sql_query": (NodeRule("run_report"),),
    }
    assert list(loaded.config.node_types) == ["kb_read", "sql_query"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("node_types:\n  kb_reed: []\n", "node_types.kb_reed"),
        ("node_types:\n  kb_read: [{tol: x}]\n", "node_types.kb_read[0].tol"),
        ("node_types:\n  kb_read: [{where: input.page}]\n", "node_types.kb_read[0].where"),
        ("node_types:\n  kb_read: {tool: x}\n", "node_types.kb_read"),
        ("node_types:\n  kb_read: [{tool: ''}]\n", "node_types.kb_read[0].tool"),
    ],
)
def test_a_wrong_rule_is_named(text: str, key: str) -> None:
    (problem,) = parse_config(text).problems
    assert problem.line == 2
    assert key in problem.message
    assert problem.cure


def test_every_type_of_a_rule_is_a_node_type() -> None:
    assert set(get_args(ToolNodeType)) < set(get_args(NodeType))
