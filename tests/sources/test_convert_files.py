"""`convert` on files as they really lie about: what is whole is written, the rest is told."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.cli import main
from bot.sources.canonical import read

MALFORMED = Path(__file__).parents[2] / "fixtures" / "sources" / "malformed"
CHAT = '{"messages": [{"role": "user", "content": "Hello"}]}\n'
SESSIONS = {
    "blank-and-bom": 2,
    "cut-last-line": 1,
    "duplicate-span": 1,
    "empty": 0,
    "end-before-start": 1,
    "missing-parent": 1,
    "no-session": 2,
    "truncated-attribute": 1,
    "unknown-kind": 1,
}


def convert(kind: str, file: Path, into: Path) -> int:
    return main(["convert", "--source", kind, str(file), "-o", str(into)])


def test_every_malformed_file_is_listed() -> None:
    assert {file.stem for file in MALFORMED.iterdir()} == {*SESSIONS, "not-json"}


@pytest.mark.parametrize("name", SESSIONS)
def test_what_is_whole_is_written(name: str, tmp_path: Path) -> None:
    assert convert("otlp", MALFORMED / f"{name}.jsonl", tmp_path / "o.jsonl") == 0
    assert len(list(read(tmp_path / "o.jsonl"))) == SESSIONS[name]


def test_an_error_page_is_named_with_its_line_and_a_cure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    assert convert("otlp", MALFORMED / "not-json.jsonl", tmp_path / "o.jsonl") == 6
    assert "not-json.jsonl:1: no JSON" in caplog.text
    assert "give another file, or the --source that it is of" in caplog.text
    assert not (tmp_path / "o.jsonl").exists()


def test_another_format_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "s.jsonl").write_text(CHAT, "utf-8")
    assert convert("otlp", tmp_path / "s.jsonl", tmp_path / "o.jsonl") == 6
    assert "it holds sessions of openai-chat: give --source openai-chat" in caplog.text


@pytest.mark.parametrize(("bad", "code"), [(1, 0), (2, 6)])
def test_one_bad_record_is_no_share_of_few(tmp_path: Path, bad: int, code: int) -> None:
    (tmp_path / "s.jsonl").write_text(CHAT + "{\n" * bad, "utf-8")
    assert convert("openai-chat", tmp_path / "s.jsonl", tmp_path / "o.jsonl") == code
