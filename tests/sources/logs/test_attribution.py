"""An ordinary coding agent's session leads to the file of the context repository that misled it."""

from __future__ import annotations

import json
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
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vendor") / "context"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), root)
    return root


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
