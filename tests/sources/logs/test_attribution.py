"""An ordinary coding agent's session leads to the file of the context repository that misled it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.bench.checkout import checkout
from bot.compose import Request, analyze
from bot.context.history import read_history
from bot.records.report import SessionResult
from bot.records.trajectory import Trajectory
from bot.sources.logs import claude_code

FIXTURES = Path(__file__).parents[3] / "fixtures"
SCENARIO = FIXTURES / "scenarios" / "vendor-invoice"
SESSION = FIXTURES / "sources" / "logs" / "claude-code" / "vendor-invoice.jsonl"
SKILL = "skills/vendor-payment/SKILL.md"
RULE = "- Professional services above $50,000 go to Procurement for review before payment."
# Line numbers stand in the middle of a sentence that is broken over lines.
BROKEN = "- Professional services above $50,000 go to\n  Procurement for review before payment."
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vendor") / "context"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), root)
    return root


def renumbered(block: dict[str, Any]) -> None:
    """The skill as `Read` shows it where its rule is broken over two lines."""
    content = block.get("content")
    if isinstance(content, str) and RULE in content:
        plain = re.sub(r"(?m)^ *\d+→", "", content.partition("\n\n<system-reminder>")[0])
        lines = plain.replace(RULE, BROKEN).split("\n")
        block["content"] = "\n".join(f"{n:6}→{line}" for n, line in enumerate(lines, 1))


def by_read(block: dict[str, Any]) -> None:
    """As Claude Code does it."""


def by_shell(block: dict[str, Any]) -> None:
    if block.get("name") == "Read":
        block.update(name="Bash", input={"command": "cd context && cat -n " + SKILL})


def by_a_tool_of_unknown_kind(block: dict[str, Any]) -> None:
    if block.get("name") == "Read":
        block.update(name="mcp__intranet__show", input={"item": 4711})


def diagnosed(context: Path, folder: Path, change: Change) -> SessionResult:
    lines = [json.loads(line) for line in SESSION.read_text("utf-8").splitlines()]
    for line in lines:
        for block in line["message"]["content"]:
            if isinstance(block, dict):
                change(block)
    log = folder / "session.jsonl"
    log.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    (found,) = claude_code.convert(str(log))
    assert isinstance(found, Trajectory)
    canonical = folder / "canonical.jsonl"
    canonical.write_bytes(msgspec.json.encode(found))
    (result,) = analyze(Request(context, (str(canonical),)), {}, lambda done: None).result.sessions
    return result


@pytest.mark.parametrize("change", [by_read, by_shell, by_a_tool_of_unknown_kind])
def test_a_stale_skill_is_found_whatever_tool_read_it(
    context: Path, tmp_path: Path, change: Change
) -> None:
    result = diagnosed(context, tmp_path, change)
    assert result.attribution is not None
    assert result.attribution.component_path == SKILL
    assert result.attribution.fault_category == "SKILL_FILE_STALE"
    assert result.attribution.root_cause_node == "node_3"
    assert result.recommendation is not None
    assert [(e.path, e.old, e.new) for e in result.recommendation.edits] == [
        (SKILL, "$50,000", "$25,000")
    ]


def test_line_numbers_do_not_hide_a_sentence(context: Path, tmp_path: Path) -> None:
    broken = tmp_path / "context"
    shutil.copytree(context, broken)
    skill = broken / SKILL
    skill.write_text(skill.read_text("utf-8").replace(RULE, BROKEN), "utf-8")

    def change(block: dict[str, Any]) -> None:
        renumbered(block)
        by_a_tool_of_unknown_kind(block)

    result = diagnosed(broken, tmp_path, change)
    assert result.attribution is not None
    assert result.attribution.component_path == SKILL
    said = [quote.quote for quote in result.attribution.evidence if quote.node_id == "node_3"]
    assert said == [BROKEN.removeprefix("- ")]


def test_rules_of_the_configuration_reach_the_sessions(context: Path, tmp_path: Path) -> None:
    ruled = tmp_path / "context"
    shutil.copytree(context, ruled)
    rule = 'node_types:\n  kb_search:\n    - {tool: "mcp__intranet__*"}\n'
    (ruled / "trace-bot.yaml").write_text(rule, "utf-8")
    seen = diagnosed(ruled, tmp_path, by_a_tool_of_unknown_kind)
    plain = diagnosed(context, tmp_path, by_a_tool_of_unknown_kind)
    assert seen.attribution is not None
    assert plain.attribution is not None
    assert seen.attribution.margin != plain.attribution.margin
