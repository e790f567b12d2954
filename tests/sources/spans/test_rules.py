"""Spans of a team's own kind become steps by rules of trace-bot.yaml, on their attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.read import read_repo
from bot.context.shown import shelf
from bot.records.trajectory import Node, Trajectory
from bot.sources.opened import opened
from bot.sources.spans.rules import ruled
from bot.sources.spans.span import Span
from bot.stages.retype import retype
from context_repo_schema.config import Source
from context_repo_schema.load import parse_config
from tests.hostile import HOSTILE
from tests.sources.fakes import phoenix
from tests.sources.fakes.said import Said
from tests.sources.fakes.server import StoreServer
from tests.sources.otlp_rows import identity, lines, request, span

CONFIG = """\
sources:
  ours:
    type: TYPE
    PLACE
    node_types:
      skill_lookup:
        - where: {attributes.acme.step: "skill*"}
          path: skills/{attributes.acme.skill}/SKILL.md
      kb_read:
        - where: {attributes.acme.step: page}
          path: attributes.acme.page
      sql_query:
        - tool: warehouse_*
          where: {attributes.acme.live: "true"}
      tool_call:
        - tool: get_order
"""
TEXT = "# Returns\n\nGoods may come back within 30 days of delivery, and money goes to the card.\n"


def configured(kind: str, place: str) -> Source:
    loaded = parse_config(CONFIG.replace("TYPE", kind).replace("PLACE", place))
    assert loaded.problems == ()
    return loaded.config.sources["ours"]


def read(tmp_path: Path, name: str, attributes: dict[str, Any], **more: Any) -> Node:
    """The one step that a span of that name below an agent's makes."""
    asked = {"openinference.span.kind": "AGENT", "input.value": "q", "output.value": "a"}
    rows = [span("root", asked), span(name, attributes, parent=identity("root"), at=1, **more)]
    file = tmp_path / "traces.jsonl"
    file.write_bytes(lines(request(*rows)))
    (found,) = opened("ours", configured("otlp", f'path: "{file}"'), {}).pull(None)
    assert isinstance(found, Trajectory)
    kinds = ("user_query_processing", "response_generation")
    (node,) = [node for node in found.nodes if node.type not in kinds]
    return node


@pytest.mark.parametrize(
    ("attributes", "kind", "asked"),
    [
        (
            {"acme.step": "Skill-open", "acme.skill": "returns"},
            "skill_lookup",
            {"path": "skills/returns/SKILL.md"},
        ),
        ({"acme.step": "page", "acme.page": "docs/a.md"}, "kb_read", {"path": "docs/a.md"}),
        ({"acme.step": "page", "input.value": '{"n": 1}'}, "kb_read", {"n": 1}),
    ],
)
def test_a_span_of_no_known_kind_is_a_step_by_its_attributes(
    tmp_path: Path, attributes: dict[str, Any], kind: str, asked: Any
) -> None:
    node = read(tmp_path, "step", {**attributes, "output.value": TEXT})
    assert node.type == kind
    assert node.tool is not None
    assert node.tool.input == asked
    assert node.tool.output == {"content": TEXT}


def test_a_rule_outweighs_the_name_of_the_tool(tmp_path: Path) -> None:
    told = {"openinference.span.kind": "TOOL", "tool.name": "search_docs", "acme.step": "page"}
    assert read(tmp_path, "search_docs", told).type == "kb_read"


def test_a_pattern_of_the_name_and_an_attribute_go_together(tmp_path: Path) -> None:
    kind = {"openinference.span.kind": "TOOL"}
    assert read(tmp_path, "warehouse_eu", {**kind, "acme.live": True}).type == "sql_query"
    assert read(tmp_path, "warehouse_eu", {**kind, "acme.live": False}).type == "tool_call"


def test_a_failed_step_stays_one(tmp_path: Path) -> None:
    node = read(tmp_path, "step", {"acme.step": "page", "acme.page": "a.md"}, error="boom")
    assert node.tool is not None
    assert (node.type, node.tool.status) == ("kb_read", "error")


def test_an_instrumentation_may_say_it_itself(tmp_path: Path) -> None:
    told = {"trace_bot.node_type": "kb_read", "trace_bot.path": "docs/b.md"}
    node = read(tmp_path, "step", told)
    assert node.tool is not None
    assert (node.type, node.tool.input) == ("kb_read", {"path": "docs/b.md"})


def test_what_a_rule_found_is_the_file_of_the_repository(tmp_path: Path) -> None:
    skill = tmp_path / "context" / "skills" / "returns" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(f"---\nname: returns\ndescription: Take back.\n---\n{TEXT}", "utf-8")
    node = read(tmp_path, "step", {"acme.step": "skill", "acme.skill": "returns"})
    session = Trajectory("s", (), nodes=(node,))
    known = shelf(read_repo(tmp_path / "context"))
    (typed,) = retype(session, known, {}).nodes
    assert typed.type == "skill_lookup"
    assert "skills/returns/SKILL.md" in str(typed.tool)


def test_a_live_store_is_read_by_the_same_rules() -> None:
    with StoreServer(phoenix.fake([Said(1, "s-1")]), phoenix.HEADERS) as server:
        source = configured("phoenix", f'url: "{server.url}"')
        kinds = dict(source.node_types)
        rule = kinds.pop("tool_call")
        source = Source("phoenix", url=server.url, node_types={"kb_search": rule})
        (found,) = opened("ours", source, phoenix.ENVIRONMENT).pull(None)
    assert isinstance(found, Trajectory)
    assert [node.type for node in found.nodes if node.tool] == ["kb_search"]


@given(
    name=st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20)),
    value=st.one_of(st.sampled_from(HOSTILE), st.integers(), st.booleans(), st.lists(st.text())),
)
def test_any_attribute_is_looked_at_without_a_fault(name: str, value: Any) -> None:
    rules = configured("otlp", "path: x").node_types
    told = ruled(Span("t", "s", name, attributes={"acme.step": value, "acme.page": value}), rules)
    assert told.attributes["acme.step"] == value
