"""The user's rules for tool calls."""

from __future__ import annotations

import pytest

from bot.provenance.rules import matching, read_by
from bot.records.trajectory import ToolCall
from context_repo_schema.config import NodeRule

CALL = ToolCall("Call_API", {"endpoint": "/wiki/get", "page": {"slug": "refunds", "rev": 3}}, ["x"])


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        (NodeRule(), True),
        (NodeRule("call_*"), True),
        (NodeRule("call"), False),
        (NodeRule(where={"input.endpoint": "/WIKI/*"}), True),
        (NodeRule(where={"input.page.rev": "3", "output.0": "x"}), True),
        (NodeRule(where={"input.page": "*"}), False),
        (NodeRule(where={"input.absent": "*"}), False),
        (NodeRule(where={"output.7": "*"}), False),
        (NodeRule(where={"secret": "*"}), False),
    ],
)
def test_a_rule_fits_by_name_and_by_what_stands_in_the_call(rule: NodeRule, fits: bool) -> None:
    found = matching(CALL, {"kb_read": (rule,)})
    assert found == (("kb_read", rule) if fits else None)


def test_the_first_rule_that_fits_wins() -> None:
    rules = {"kb_search": (NodeRule("x"), NodeRule("call*")), "kb_read": (NodeRule(),)}
    found = matching(CALL, rules)  # type: ignore[arg-type]
    assert found is not None
    assert found[0] == "kb_search"


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("docs/{input.page.slug}.md", "docs/refunds.md"),
        ("{input.page.slug}-{input.page.rev}", "refunds-3"),
        ("input.page.slug", "refunds"),
        ("docs/refunds.md", "docs/refunds.md"),
        ("input.page", None),
        ("docs/{input.absent}.md", None),
        ("{name.__class__}", None),
        (None, None),
    ],
)
def test_a_path_is_made_from_places(template: str | None, path: str | None) -> None:
    assert read_by(NodeRule(path=template), CALL) == path


def test_braces_in_a_value_are_text() -> None:
    hostile = ToolCall("t", {"page": "{input.key}{0.__class__}", "key": "x"})
    assert read_by(NodeRule(path="docs/{input.page}"), hostile) == "docs/{input.key}{0.__class__}"
