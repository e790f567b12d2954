"""G1: where a change may go."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.repo import ContextRepo
from bot.gates.path import path
from bot.records.plan import Limits
from tests.gates.conftest import grown, outcome
from tests.proposals import SKILL, write_files


@pytest.mark.parametrize(
    "name", [SKILL, "prompts/system_prompt.md", "skills/new/SKILL.md", "knowledge_base/größe.md"]
)
def test_context_files_pass(repo: ContextRepo, name: str) -> None:
    assert outcome(path, repo, {name: "# New\n"}) == "passed"


@pytest.mark.parametrize(
    "name",
    [
        "../outside.md",
        "/etc/passwd",
        "~/x.md",
        "skills/../../x.md",
        "skills//x.md",
        "skills/./x.md",
        "",
        "skills/con.md",
        "skills/AUX",
        "skills/x.",
        "skills/x.md ",
        "skills/a:b.md",
        "skills/a\\b.md",
        "skills/a\nb.md",
        "skills/PAY/SKILL.md",
        "skills/u\u0308.md",
        "skills/run.sh",
        "skills/x.py",
        "elsewhere/x.md",
        ".github/workflows/ci.md",
        ".github/actions/a/action.yml",
        ".git/hooks/post-checkout",
        "skills/.gitattributes",
        "CODEOWNERS",
        "trace-bot.yaml",
    ],
)
def test_everything_else_is_blocked(repo: ContextRepo, name: str) -> None:
    assert outcome(path, repo, {name: "# New\n"}) == "blocked"


def test_a_regression_case_is_made_once_and_never_changed(tmp_path: Path) -> None:
    case = "evals/trace-bot/tb-abcdefghij.yaml"
    leave = Limits(regression_cases=True)
    repo = write_files(tmp_path / "a")
    assert outcome(path, repo, {case: "- vars: {}\n"}) == "blocked"
    assert outcome(path, repo, {case: "- vars: {}\n"}, limits=leave) == "passed"
    other = {"evals/trace-bot/other.yaml": "- vars: {}\n"}
    assert outcome(path, repo, other, limits=leave) == "blocked"
    held = write_files(tmp_path / "b", {SKILL: "# Pay\n", case: "- vars: {}\n"})
    held.texts[case] = "- vars: {}\n"
    assert outcome(path, held, {case: "- vars: {a: 1}\n"}, limits=leave) == "blocked"
    assert outcome(path, held, {case: None}, limits=leave) == "blocked"


def test_evidence_only_files_are_never_edited(tmp_path: Path) -> None:
    repo = write_files(tmp_path, {"database/schema.sql": "create table t (a int);\n"})
    assert outcome(path, repo, {"database/schema.sql": "drop table t;\n"}) == "blocked"


def test_symbolic_links_and_programs_are_blocked(tmp_path: Path) -> None:
    repo = write_files(tmp_path)
    (tmp_path / "knowledge_base/hours.md").chmod(0o755)
    assert outcome(path, repo, grown(repo, "knowledge_base/hours.md", "x")) == "blocked"
    target = tmp_path / SKILL
    target.rename(tmp_path / "elsewhere.md")
    target.symlink_to(tmp_path / "elsewhere.md")
    assert outcome(path, repo, grown(repo, SKILL, "x")) == "blocked"
    (tmp_path / "skills/linked").symlink_to("/tmp")
    assert outcome(path, repo, {"skills/linked/SKILL.md": "# New\n"}) == "blocked"
