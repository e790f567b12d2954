"""A read of the context repository is told whatever tool made it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.read import read_repo
from bot.context.shown import Shelf, shelf
from bot.provenance.rules import Rules
from bot.records.trajectory import Node, NodeType, ToolCall, Trajectory, Turn
from bot.stages.retype import retype
from context_repo_schema.config import NodeRule

SKILL = textwrap.dedent("""\
    ---
    name: returns
    description: Take goods back. Use it when a customer wants to return something.
    ---

    # Returns

    1. Ask for the order number and look the order up.
    2. Goods may come back within 30 days of delivery.
    3. Pay the money back to the card that was used.
    """)
POLICY = textwrap.dedent("""\
    # Shipping

    Parcels below two kilograms go by letter post, all others by parcel service.
    Islands take three more days, and mountain huts are not served at all.
    """)
FILES = {
    "skills/returns/SKILL.md": SKILL,
    "docs/shipping.md": POLICY,
    "docs/copies/shipping-2024.md": POLICY,
    "README.md": "# Shop\n\nThis folder holds what the assistant of the shop knows and may do.\n",
    "database/schema.sql": "CREATE TABLE orders (id INT, state TEXT);\n" * 3,
}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    root = tmp_path_factory.mktemp("context")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return shelf(read_repo(root))


def session(tool: ToolCall, kind: NodeType = "tool_call") -> Trajectory:
    return Trajectory("s", (Turn(1, "user", "Hi"),), nodes=(Node("n", 1, kind, tool=tool),))


def typed(
    known: Shelf, tool: ToolCall, rules: Rules | None = None, kind: NodeType = "tool_call"
) -> tuple[NodeType, ToolCall]:
    node = retype(session(tool, kind), known, rules or {}).nodes[0]
    assert node.tool is not None
    return node.type, node.tool


def numbered(text: str) -> str:
    return "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.splitlines(), 1))


@pytest.mark.parametrize(
    ("name", "asked", "output"),
    [
        ("Read", {"file_path": "/srv/shop/skills/returns/SKILL.md"}, numbered(SKILL)),
        ("Bash", {"command": "cat skills/returns/SKILL.md"}, SKILL),
        ("Bash", {"command": "cd skills/returns && head -n 40 SKILL.md"}, SKILL),
        ("open_tab", {"id": 7}, SKILL),
        ("open_tab", {"id": 7}, [{"type": "text", "text": SKILL}]),
        ("open_tab", {"id": 7}, {"content": SKILL, "tokens": 90}),
        ("open_tab", {"id": 7}, SKILL.split("---\n")[2]),
        ("open_tab", None, SKILL.replace("30 days", "14 days")),
    ],
)
def test_a_skill_is_a_skill_by_its_path_or_its_text(
    known: Shelf, name: str, asked: Any, output: Any
) -> None:
    kind, tool = typed(known, ToolCall(name, asked, output))
    assert kind == "skill_lookup"
    assert tool.output["path"] == "skills/returns/SKILL.md"
    assert "2. Goods may come back within" in tool.output["content"]
    assert "→" not in tool.output["content"]


def test_a_document_that_could_not_be_read_is_told_by_the_path(known: Shelf) -> None:
    asked = {"command": "cat docs/shipping.md"}
    kind, tool = typed(known, ToolCall("Bash", asked, status="error", error="No such file"))
    assert kind == "kb_read"
    assert tool.input == {**asked, "path": "docs/shipping.md"}


def test_a_text_of_two_files_has_no_path(known: Shelf) -> None:
    kind, tool = typed(known, ToolCall("open_tab", {"id": 7}, POLICY))
    assert kind == "kb_read"
    assert tool.output == POLICY


@pytest.mark.parametrize(
    ("name", "asked", "output", "results"),
    [
        (
            "Grep",
            {"pattern": "island", "output_mode": "content"},
            "/srv/docs/shipping.md:4:Islands take three more days\nsrc/app.py:9:island = 3",
            [("docs/shipping.md", "Islands take three more days")],
        ),
        (
            "Glob",
            {"pattern": "**/*.md"},
            "docs/shipping.md\nskills/returns/SKILL.md",
            [("docs/shipping.md", ""), ("skills/returns/SKILL.md", "")],
        ),
        (
            "Bash",
            {"command": "cd /srv && grep -r days docs skills | head"},
            "docs/shipping.md:Islands take\ndocs/shipping.md:more days",
            [("docs/shipping.md", "Islands take\nmore days")],
        ),
    ],
)
def test_a_search_of_files_that_finds_components_is_a_search_of_the_knowledge_base(
    known: Shelf, name: str, asked: Any, output: str, results: list[tuple[str, str]]
) -> None:
    kind, tool = typed(known, ToolCall(name, asked, output))
    assert kind == "kb_search"
    assert [(r["path"], r["content"]) for r in tool.output["results"]] == results
    assert asked.items() < tool.input.items()
    assert tool.input["query"]


@pytest.mark.parametrize(
    ("name", "asked", "output"),
    [
        ("Grep", {"pattern": "x"}, "src/a.py:1:x\nsrc/b.py:2:x\ndocs/shipping.md:1:x"),
        ("Grep", {"pattern": "x"}, "No matches found"),
        ("Bash", {"command": "git diff --name-only"}, "docs/shipping.md\n"),
        ("Edit", {"file_path": "docs/shipping.md"}, "The file was changed."),
        ("Bash", {"command": "python tools/report.py"}, "done"),
        ("Read", {"file_path": "/other/project/README.md"}, "# Other\n" + "Another text. " * 9),
        ("Read", {"file_path": "src/docs/shipping.md"}, "Nothing of ours stands here. " * 5),
        ("describe_table", {"table": "orders"}, FILES["database/schema.sql"]),
        ("get_order", {"id": 3}, {"state": "sent"}),
    ],
)
def test_other_calls_stay_what_they_are(known: Shelf, name: str, asked: Any, output: Any) -> None:
    assert typed(known, ToolCall(name, asked, output))[0] == "tool_call"


def test_a_skill_is_found_by_its_name(known: Shelf) -> None:
    call = ToolCall("Skill", {"skill": "shop:returns"}, "Launching skill: returns")
    kind, tool = typed(known, call, kind="skill_lookup")
    assert kind == "skill_lookup"
    assert tool.output["path"] == "skills/returns/SKILL.md"


def test_the_repository_says_what_a_guess_from_the_path_got_wrong(known: Shelf) -> None:
    call = ToolCall("Read", {"file_path": "docs/shipping.md"}, POLICY)
    assert typed(known, call, kind="skill_lookup")[0] == "kb_read"


def test_searches_and_queries_are_left_alone(known: Shelf) -> None:
    call = ToolCall("search", {"query": "x"}, SKILL)
    for kind in ("kb_search", "sql_query", "reasoning"):
        assert typed(known, call, kind=kind) == (kind, call)


def test_a_rule_says_the_type_and_where_the_path_stands(known: Shelf) -> None:
    rule = NodeRule("call_api", {"input.endpoint": "/pages/*"}, "docs/{input.page}.md")
    call = ToolCall("call_api", {"endpoint": "/pages/get", "page": "shipping"}, "Short text.")
    kind, tool = typed(known, call, {"kb_read": (rule,)})
    assert kind == "kb_read"
    assert tool.output == {"path": "docs/shipping.md", "content": "Short text."}
    other = ToolCall("call_api", {"endpoint": "/orders"}, "Short text.")
    assert typed(known, other, {"kb_read": (rule,)}) == ("tool_call", other)


def test_a_rule_outweighs_what_stands_in_the_repository(known: Shelf) -> None:
    call = ToolCall("Read", {"file_path": "docs/shipping.md"}, POLICY)
    assert typed(known, call, {"kb_search": (NodeRule("Read"),)}) == ("kb_search", call)


def test_typing_twice_changes_nothing_more(known: Shelf) -> None:
    call = ToolCall("Read", {"file_path": "skills/returns/SKILL.md"}, numbered(SKILL))
    once = retype(session(call), known, {})
    assert retype(once, known, {}) == once


def test_numbers_that_the_file_itself_holds_stay(tmp_path: Path) -> None:
    table = "\n".join(f"{n}\tA place on the long list of depots, number {n}" for n in range(1, 6))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "depots.txt").write_text(table, "utf-8")
    call = ToolCall("Read", {"file_path": "docs/depots.txt"}, table)
    kind, tool = typed(shelf(read_repo(tmp_path)), call)
    assert kind == "kb_read"
    assert tool.output["content"] == table


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([SKILL, POLICY, *FILES])
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "command", "content", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(st.text(max_size=8), JSON, JSON, st.sampled_from(["tool_call", "skill_lookup", "other"]))
def test_any_call_is_typed_and_nothing_is_lost(
    known: Shelf, name: str, asked: Any, output: Any, kind: NodeType
) -> None:
    found, tool = typed(known, ToolCall(name, asked, output), kind=kind)
    assert found in ("tool_call", "other", "kb_read", "skill_lookup")
    if isinstance(asked, dict):
        assert asked.items() <= tool.input.items()
