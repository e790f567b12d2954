"""`validate` says what it took the files for, and counts what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import main

FILES = {
    "AGENTS.md": "# Assistant\n",
    "skills/a/SKILL.md": "---\nname: a\ndescription: Does a.\n---\n# A\n",
    "skills/b/SKILL.md": "---\nname: b\ndescription: Does b.\n---\n# B\n",
    "docs/a.md": "# A\n",
    "CODEOWNERS": "* @org/all\n",
    "LICENSE": "Free.\n",
}


def told(root: Path, files: dict[str, str], capsysbinary: object, *options: str) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8", newline="")
    main(["validate", str(root), *options])
    return capsysbinary.readouterr().out.decode()  # type: ignore[attr-defined,no-any-return]


def test_what_was_recognised_stands_first(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = told(tmp_path, FILES, capsysbinary).splitlines()
    assert lines == [
        "1 system prompt, 2 skills, 1 page; no context: LICENSE",
        "0 errors, 0 warnings",
    ]


def test_of_many_other_files_some_are_named(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    others = {f"src/{at}.py": "x\n" for at in range(9)}
    first = told(tmp_path, {"AGENTS.md": "# A\n", **others}, capsysbinary).splitlines()[0]
    assert first.startswith("1 system prompt; no context: src/0.py, ")
    assert first.endswith(" and 4 more")


def test_a_name_of_a_file_is_no_workflow_command(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    files = {"AGENTS.md": "# A\n", "a\n::error::b.py": "x\n"}
    for line in told(tmp_path, files, capsysbinary, "--format", "github").splitlines():
        assert not line.startswith("::error::b")


def test_json_stays_json(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert json.loads(told(tmp_path, FILES, capsysbinary, "--format", "json"))["errors"] == 0


def test_of_a_broken_configuration_nothing_is_said_to_be_recognised(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = told(tmp_path, {**FILES, "trace-bot.yaml": "mode: previw\n"}, capsysbinary)
    assert "skills" not in text
    assert "mode: 'previw' is not one of its values; did you mean `preview`?" in text
