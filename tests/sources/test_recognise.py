"""Files of another format are recognised by the readers themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import main
from bot.sources.recognise import format_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sources"
LOGS = [
    (folder.name, file)
    for folder in sorted((FIXTURES / "logs").iterdir())
    for file in sorted(folder.iterdir())
    if not file.name.startswith("expected")
]
EXPORTS = [
    ("otlp" if folder.name.startswith("otlp") else folder.name, folder)
    for folder in sorted((FIXTURES / "stores").iterdir())
    if folder.is_dir()
]


@pytest.mark.parametrize(("kind", "place"), [*LOGS, *EXPORTS], ids=str)
def test_every_format_is_told_from_the_others(kind: str, place: Path) -> None:
    assert format_of(str(place)) == kind


@pytest.mark.parametrize("text", ["", "no JSON\n", "{}\n", '{"turns": 5}\n', "[[[\n", "\0\n"])
def test_anything_else_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.jsonl").write_text(text, "utf-8")
    assert format_of(str(tmp_path / "s.jsonl")) is None
    assert format_of(str(tmp_path)) is None
    assert format_of("-") is None


def test_a_run_over_another_format_says_how_to_convert_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "AGENTS.md").write_text("# Assistant\n", "utf-8")
    chat = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}
    (tmp_path / "chats.jsonl").write_text(f"{json.dumps(chat)}\n" * 3, "utf-8")
    args = ["--context", str(tmp_path), "--trajectories", str(tmp_path / "chats.jsonl")]
    assert main(["dry-run", *args]) == 6
    assert "`trace-bot convert --source openai-chat`" in caplog.text
