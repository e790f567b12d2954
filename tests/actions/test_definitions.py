"""Actions and workflows hold to GitHub's schemas, to the linters, and to our own security rules."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from bot.arguments import parser
from bot.commands import init
from context_repo_schema.load import load_config, parse_config

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "bot" / "commands" / "templates"
SCHEDULED = TEMPLATES / "workflow.yml"
WORKFLOWS = (*sorted((ROOT / ".github" / "workflows").glob("*.yml")), SCHEDULED)
ACTIONS = tuple(sorted((ROOT / "actions").glob("*/action.yml")))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def tool(*command: str | Path) -> None:
    """Run a linter that is installed beside this interpreter; what it complains of is shown."""
    name, *arguments = command
    place = shutil.which(str(name), path=str(Path(sys.executable).parent)) or shutil.which(
        str(name)
    )
    assert place, f"{name} is not installed; `make test` installs it"
    done = subprocess.run(
        (place, *arguments), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = YAML(typ="safe", pure=True).load(path)
    return found


def test_schemas() -> None:
    tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    tool("check-jsonschema", "--builtin-schema", "vendor.github-actions", *ACTIONS)
    tool(
        "check-jsonschema",
        "--builtin-schema",
        "vendor.dependabot",
        ROOT / ".github" / "dependabot.yml",
    )


def test_actionlint() -> None:
    tool("jactionlint", *WORKFLOWS, *ACTIONS)


def test_zizmor_finds_nothing() -> None:
    strict = ("--offline", "--strict-collection", "--no-progress", "--persona", "pedantic")
    tool("zizmor", *strict, *WORKFLOWS, *ACTIONS, ROOT / ".github" / "dependabot.yml")


def test_shell_scripts() -> None:
    if shutil.which("shellcheck", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("shellcheck has no wheel for this platform")
    tool("shellcheck", ROOT / ".ci" / "run")


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, *ACTIONS], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_every_action_is_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"uses:\s*(.+)", path.read_text("utf-8"))
    assert used
    assert [text for text in used if not PINNED.fullmatch(text)] == []


def test_one_release_of_each_action_is_used() -> None:
    pins: dict[str, set[str]] = {}
    for path in (*WORKFLOWS, *ACTIONS):
        for name, pin in re.findall(r"uses:\s*([^@\s]+)@(.+)", path.read_text("utf-8")):
            pins.setdefault(name, set()).add(pin)
    assert {name: found for name, found in pins.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: path.parent.name)
def test_no_expression_inside_a_script(path: Path) -> None:
    steps = load(path)["runs"]["steps"]
    assert [step["name"] for step in steps if "${{" in step.get("run", "")] == []
    assert {step["shell"] for step in steps if "run" in step} == {"bash"}


def test_the_token_reaches_only_steps_that_write() -> None:
    steps = load(ROOT / "actions" / "trace-bot" / "action.yml")["runs"]["steps"]
    holders = {step["if"] for step in steps if "inputs.token" in str(step.get("env"))}
    assert holders == {"inputs.mode == 'publish'", "inputs.mode == 'run'"}


def test_the_inputs_of_the_action_are_arguments_of_the_program() -> None:
    action = load(ROOT / "actions" / "trace-bot" / "action.yml")
    for step in action["runs"]["steps"]:
        if step.get("id") in ("read", "publish", "both"):
            options = set(re.findall(r"--([a-z]+)=", step["run"]))
            assert options <= {"json", *action["inputs"]}
    assert {"dry-run", "analyze", "publish", "run"} <= set(
        re.findall(r"[a-z-]+", parser().format_help())
    )


def test_the_scheduled_workflow_splits_reading_from_writing() -> None:
    workflow = load(SCHEDULED)
    assert set(workflow["on"]) == {"schedule", "workflow_dispatch"}
    assert workflow["permissions"] == {}
    assert workflow["concurrency"] == {"group": "trace-bot", "cancel-in-progress": False}
    analyze, publish = workflow["jobs"]["analyze"], workflow["jobs"]["publish"]
    assert analyze["permissions"] == {"contents": "read", "issues": "read"}
    assert publish["permissions"] == {
        "contents": "write",
        "pull-requests": "write",
        "issues": "write",
    }
    assert publish["needs"] == "analyze"
    for job in (analyze, publish):
        (checkout,) = [s for s in job["steps"] if s["uses"].startswith("actions/checkout@")]
        assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    (ours,) = [s for s in analyze["steps"] if "/actions/trace-bot@" in s["uses"]]
    assert ours["with"] == {"mode": "analyze", "read-token": "${{ github.token }}"}
    assert str(analyze).count("token") == 2


def test_the_scheduled_workflow_gives_only_inputs_that_exist() -> None:
    inputs = load(ROOT / "actions" / "trace-bot" / "action.yml")["inputs"]
    for job in load(SCHEDULED)["jobs"].values():
        (ours,) = [s for s in job["steps"] if "/actions/trace-bot@" in s["uses"]]
        assert set(ours["with"]) <= set(inputs)


def test_init_writes_what_the_linters_accept(tmp_path: Path) -> None:
    init.execute(parser().parse_args(["init", str(tmp_path)]))
    written = tmp_path / ".github" / "workflows" / "trace-bot.yml"
    assert written.read_bytes() == SCHEDULED.read_bytes()
    tool("zizmor", "--offline", "--strict-collection", "--no-progress", "--pedantic", tmp_path)
    assert load_config(tmp_path).problems == ()


def test_commented_settings_are_the_defaults() -> None:
    text = (TEMPLATES / "trace-bot.yaml").read_text("utf-8")
    assert parse_config(text).config.mode == "preview"
    shown = re.sub(r"(?m)^# (?=[a-z_]+:|  )", "", text)
    loaded = parse_config(shown)
    assert loaded.problems == ()
    examples = ("mode", "components", "authority", "sources", "node_types", "llm")
    default = parse_config("").config
    for name in set(re.findall(r"(?m)^([a-z_]+):", shown)) - set(examples):
        assert getattr(loaded.config, name) == getattr(default, name), name
    assert set(loaded.config.components) == {
        "system_prompt",
        "skill",
        "kb_entry",
        "tool_prompt",
        "synonym_map",
        "schema_hint",
    }
