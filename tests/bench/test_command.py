"""The bench commands from the command line: where results go, and what they tell of a machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.cli import main


def test_a_dash_is_stdout_and_leaves_no_file(
    folder: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    suite = folder.write(tmp_path / "suite")
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "run", str(suite), "--json", "-", "--markdown", "page.md"]) == 0
    told = msgspec.json.decode(capsysbinary.readouterr().out)
    assert told["schema"] == "trace-bot/bench/v1"
    assert (tmp_path / "page.md").read_text("utf-8").startswith("# Benchmarks\n")
    assert not (tmp_path / "-").exists()


def test_only_one_result_goes_to_stdout(
    folder: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: Any
) -> None:
    suite = folder.write(tmp_path / "suite")
    assert main(["bench", "run", str(suite), "--json", "-", "--html", "-"]) == 2
    assert "only one of them can go to stdout" in caplog.text


def test_a_result_does_not_tell_where_its_folders_lie(
    folder: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    elsewhere = folder.write(tmp_path / "elsewhere" / "suite")
    here = tmp_path / "here"
    inside = folder.write(here / "inside")
    monkeypatch.chdir(here)
    asked = ["bench", "run", str(elsewhere), str(inside), "--html=../page.html"]
    asked += ["--json", "-"]
    monkeypatch.setattr("sys.argv", ["trace-bot", *asked])
    assert main(asked) == 0
    told = msgspec.json.decode(capsysbinary.readouterr().out)
    command = told["made"]["command"]
    assert command == "trace-bot bench run .../suite inside --html=.../page.html --json -"
    assert str(tmp_path) not in (tmp_path / "page.html").read_text("utf-8")


def test_a_report_joins_results_and_says_what_was_not_run(
    folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = str(folder.write(tmp_path / "suite"))
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "run", suite, "--json", "run.json", "--ablate", "exploration"]) == 0
    assert main(["bench", "profile", suite, "--json", "profile.json"]) == 0
    assert main(["bench", "report", "run.json", "profile.json", "--markdown", "page.md"]) == 0
    text = (tmp_path / "page.md").read_text("utf-8")
    for title in ("## The shipped engine", "### Ablations", "## Where the time goes"):
        assert title in text
    assert "| whowhen | not run |" in text
    assert "make bench PUBLIC=DIR" in text


def test_an_engine_over_an_empty_repository_is_quiet(
    folder: Any, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    suite = folder.write(tmp_path / "suite")
    shutil.rmtree(suite / "context")
    (suite / "context").mkdir()
    assert main(["bench", "run", str(suite)]) == 0
    assert not recwarn.list
