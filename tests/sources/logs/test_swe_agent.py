"""SWE-agent and mini-swe-agent: tasks, commands and what came back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import ToolCall, Trajectory
from bot.sources.logs import swe_agent

TASK = {"role": "user", "content": "Mend the totals."}
OUTPUT = "<returncode>0</returncode>\n<output>\n# Totals\nRound up.\n</output>"


def read(tmp_path: Path, value: Any, name: str = "a.traj") -> Trajectory | Skipped:
    file = tmp_path / name
    file.write_text(json.dumps(value), "utf-8")
    (found,) = swe_agent.convert(str(file))
    return found


def calls(found: Trajectory | Skipped) -> list[ToolCall]:
    assert isinstance(found, Trajectory)
    return [node.tool for node in found.nodes if node.tool]


FENCED = {"role": "assistant", "content": "First.\n\n```bash\ncat docs/totals.md\n```"}
LISTED = {
    "role": "assistant",
    "content": "First.",
    "extra": {"actions": [{"command": "cat docs/totals.md"}]},
}
CALLED = {
    "role": "assistant",
    "content": "First.",
    "tool_calls": [
        {"id": "c", "function": {"name": "bash", "arguments": '{"command": "cat docs/totals.md"}'}}
    ],
}


@pytest.mark.parametrize(
    "messages",
    [
        [TASK, FENCED, {"role": "user", "content": OUTPUT}],
        [TASK, LISTED, {"role": "user", "content": OUTPUT, "extra": {"returncode": 0}}],
        [TASK, CALLED, {"role": "tool", "tool_call_id": "c", "content": OUTPUT}],
    ],
)
def test_a_command_meets_its_observation_in_every_version(tmp_path: Path, messages: Any) -> None:
    found = read(tmp_path, {"messages": messages, "info": {}}, "a.traj.json")
    (tool,) = calls(found)
    assert isinstance(found, Trajectory)
    assert tool.input == {"command": "cat docs/totals.md"}
    assert tool.output == {"content": "# Totals\nRound up."}
    assert [turn.content for turn in found.turns] == ["Mend the totals."]
    assert found.session_id == "a"


def test_a_return_code_tells_failure(tmp_path: Path) -> None:
    broken = {"role": "user", "content": OUTPUT.replace(">0<", ">2<")}
    (tool,) = calls(read(tmp_path, {"messages": [TASK, FENCED, broken]}))
    assert (tool.status, tool.error) == ("error", "# Totals\nRound up.")


def test_how_it_ended_is_feedback_by_code(tmp_path: Path) -> None:
    found = read(tmp_path, {"messages": [TASK], "info": {"exit_status": "Submitted"}})
    assert isinstance(found, Trajectory)
    assert [(f.value, f.source) for f in found.feedback] == [("Submitted", "code")]


def test_a_demonstration_is_no_task(tmp_path: Path) -> None:
    history = [{"role": "user", "content": "Demo", "is_demo": True}, TASK]
    step = {"thought": "", "action": "ls", "observation": "docs"}
    found = read(tmp_path, {"trajectory": [step], "history": history})
    assert isinstance(found, Trajectory)
    assert [turn.content for turn in found.turns] == ["Mend the totals."]


@pytest.mark.parametrize(
    "value", [[], {"trajectory": [3], "history": [TASK]}, {"messages": [{}]}, {"trajectory": []}]
)
def test_what_is_no_run_is_named(tmp_path: Path, value: Any) -> None:
    assert isinstance(read(tmp_path, value), Skipped)


def test_runs_of_one_task_stay_apart(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "b.traj").write_text(json.dumps({"messages": [TASK]}), "utf-8")
    found = [t for t in swe_agent.convert(str(tmp_path)) if isinstance(t, Trajectory)]
    assert [t.session_id for t in found] == ["first-b", "second-b"]


def test_a_folder_gives_its_trajectories_only(tmp_path: Path) -> None:
    for name in ("b.traj", "c.traj.json", "config.json", "preds.json"):
        (tmp_path / name).write_text(json.dumps({"messages": [TASK]}), "utf-8")
    found = [t for t in swe_agent.convert(str(tmp_path)) if isinstance(t, Trajectory)]
    assert [t.session_id for t in found] == ["b", "c"]
