"""A run over nothing says so, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import main

SESSION = {
    "session_id": "s1",
    "started_at": "2020-01-01T00:00:00Z",
    "turns": [{"turn_id": 1, "role": "user", "content": "Hello"}],
}


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", [], "0 sessions in "),
        (json.dumps(SESSION), ["--since", "1h"], "; --since 1h leaves out what began earlier"),
        (json.dumps(SESSION), ["--model", "a/b"], "--model has no effect without --engine llm"),
    ],
)
def test_what_may_have_been_meant_otherwise_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, options: list[str], said: str
) -> None:
    (tmp_path / "AGENTS.md").write_text("# Assistant\n", "utf-8")
    (tmp_path / "s.jsonl").write_text(text, "utf-8")
    args = ["--context", str(tmp_path), "--trajectories", str(tmp_path / "s.jsonl")]
    assert main(["dry-run", *args, *options]) == 0
    assert said in caplog.text


def test_a_run_over_something_has_no_remark(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "AGENTS.md").write_text("# Assistant\n", "utf-8")
    (tmp_path / "s.jsonl").write_text(json.dumps(SESSION), "utf-8")
    args = ["--context", str(tmp_path), "--trajectories", str(tmp_path / "s.jsonl")]
    assert main(["dry-run", *args]) == 0
    assert caplog.text == ""
