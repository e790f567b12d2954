"""Methods beside one another: the sessions that all scored, what was right, what was spent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.bench.methods import methods
from bot.bench.result import Made, Result
from bot.bench.score import Row
from bot.cli import main
from bot.errors import ConfigError

RULES = Made("offline", "", "", "", "", "Rules")
MODEL = Made("llm", "", "", "", "", "Model")


def row(name: str, *, fix: bool, calls: int = 0, dsat: bool = True) -> Row:
    return Row(
        "s", name, "simple", dsat, dsat, "NONE", "NONE", "none", None, None, None, None, None, None,
        node=True, category=True, fix=fix if dsat else None, calls=calls, tokens=calls * 100,
    )  # fmt: skip


def test_a_row_says_what_is_right_and_what_it_cost() -> None:
    rules = Result(RULES, rows=(row("a", fix=False), row("b", fix=True), row("c", fix=True)))
    model = Result(MODEL, rows=(row("a", fix=True, calls=3), row("b", fix=True, calls=1)))
    first, second = methods([rules, model]).rows
    assert first[:2] == ("Rules", "0.50 [0.00, 1.00]")
    assert first[4:] == ("–", "0.0", "0", "0.0000")
    assert second[:2] == ("Model", "1.00 [1.00, 1.00]")
    assert second[4:] == ("+0.50 [+0.00, +1.00]", "2.0", "200", "0.0000")


def test_calls_are_of_the_sessions_that_were_looked_into() -> None:
    rows = (row("a", fix=True, calls=2), row("b", fix=True, dsat=False))
    table = methods([Result(MODEL, rows=rows)])
    assert table.rows[0][5] == "2.0"
    assert table.note.startswith("2 sessions, 1 of them dissatisfied")


def test_results_of_one_method_are_one_row() -> None:
    parts = [Result(MODEL, rows=(row(name, fix=True, calls=1),)) for name in "ab"]
    rules = Result(RULES, rows=(row("a", fix=False), row("b", fix=False)))
    table = methods([rules, *parts])
    assert [line[0] for line in table.rows] == ["Rules", "Model"]
    assert table.rows[1][1] == "1.00 [1.00, 1.00]"
    assert table.note.startswith("2 sessions")


def test_results_without_a_common_session_are_refused() -> None:
    one, other = (
        Result(RULES, rows=(row("a", fix=True),)),
        Result(MODEL, rows=(row("b", fix=True),)),
    )
    with pytest.raises(ConfigError, match="no session in common"):
        methods([one, other])


def test_the_command_prints_the_table(
    folder: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite, result = str(folder.write(tmp_path / "suite")), str(tmp_path / "a.json")
    assert main(["bench", "run", suite, "--json", result]) == 0
    capsys.readouterr()
    assert main(["bench", "methods", result, result]) == 0
    told = capsys.readouterr().out
    assert told.count("| The shipped engine |") == 1
    assert "| calls | tokens |" in told
    assert msgspec.json.decode(Path(result).read_bytes())["rows"]
