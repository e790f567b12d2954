"""`explain` says why nothing was concluded where nothing was."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.cli import main
from bot.records.trajectory import Node, Trajectory, Turn

AGENTS = "# Assistant\n\nAnswer briefly.\n"


def told(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], *turns: str, nodes: bool = True
) -> str:
    (tmp_path / "AGENTS.md").write_text(AGENTS, "utf-8")
    said = tuple(
        Turn(number, "user" if number % 2 else "assistant", text)
        for number, text in enumerate(turns, 1)
    )
    steps = (Node("n1", 2, "response_generation", output={"response": turns[1]}),)
    session = Trajectory("s1", said, nodes=steps if nodes else ())
    sessions = tmp_path / "sessions.jsonl"
    sessions.write_bytes(msgspec.json.encode(session) + b"\n")
    args = ["--context", str(tmp_path), "--trajectories", str(sessions)]
    assert main(["explain", "s1", *args]) == 0
    return capsysbinary.readouterr().out.decode()


def test_no_is_told_with_the_threshold(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = told(tmp_path, capsysbinary, "When do you open?", "At nine.", "Thank you!")
    assert " is below the threshold 0.70" in text
    assert "2. Where" not in text


def test_a_session_without_steps_is_told_what_to_record(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    talk = ("When do you open?", "At nine.", "That is wrong, you open at ten.", "Sorry.")
    text = told(tmp_path, capsysbinary, *talk, nodes=False)
    assert "yes, confidence" in text
    assert "the session has no recorded steps; record what the agent read" in text


def test_the_loss_is_told_without_its_mark(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    talk = ("When do you open?", "At nine.", "That is wrong, you open at ten.", "Sorry.")
    text = told(tmp_path, capsysbinary, *talk)
    assert "Expected “" in text
    assert "DELTA" not in text
