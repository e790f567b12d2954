"""Paired differences, and thresholds that fail a build."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from bot.bench.compare import below, compare, read_rows, render
from bot.bench.score import Row
from bot.cli import main
from bot.errors import ConfigError

BASE = Row("suite", "s", "simple", True, True, "KB_CONTENT_GAP", None, "kb_entry", *[None] * 6)


def run(right: int, *, of: int = 40, suite: str = "suite") -> list[Row]:
    return [
        msgspec.structs.replace(BASE, suite=suite, session_id=f"s{n}", node=n < right)
        for n in range(of)
    ]


def written(path: Path, rows: list[Row]) -> str:
    path.write_bytes(msgspec.json.encode({"rows": rows}))
    return str(path)


def test_a_clear_gain_has_an_interval_above_zero() -> None:
    found = next(d for d in compare(run(10), run(30)) if d.metric == "node Acc@1")
    assert (found.a, found.b) == (0.25, 0.75)
    assert 0 < found.low < 0.5 < found.high
    assert "+0.500 [" in render([found])
    assert render([found]).rstrip().endswith("* |")


def test_the_same_run_twice_differs_by_nothing() -> None:
    assert {(d.low, d.high) for d in compare(run(10), run(10))} == {(0.0, 0.0)}


def test_only_common_sessions_count() -> None:
    found = next(d for d in compare(run(10, of=20), run(30)) if d.metric == "node Acc@1")
    assert found.a == 0.5
    assert found.b == 1.0
    with pytest.raises(ConfigError, match="no session in common"):
        compare(run(1), run(1, suite="other"))


def test_thresholds_name_what_is_below_and_refuse_unknown_metrics() -> None:
    found = compare(run(10), run(30))
    assert below(found, {"node Acc@1": 0.75}) == []
    assert below(found, {"node Acc@1": 0.76}) == ["node Acc@1 is 0.750, below 0.760"]
    assert below(found, {"path exact": 0.1}) == ["path exact is 0.000, below 0.100"]
    with pytest.raises(ConfigError, match="no metric 'node'"):
        below(found, {"node": 0.5})


def test_a_broken_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"rows": [{"suite": 1}]}))
    with pytest.raises(ConfigError, match=r"a\.json: not a result"):
        read_rows(tmp_path / "a.json")


def test_the_command_fails_below_a_threshold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = written(tmp_path / "a.json", run(10)), written(tmp_path / "b.json", run(30))
    assert main(["bench", "compare", a, b, "--min", "node Acc@1=0.7"]) == 0
    assert main(["bench", "compare", a, b, "--min", "node Acc@1=0.8"]) == 1
    assert "FAIL node Acc@1 is 0.750, below 0.800" in capsys.readouterr().out
    assert main(["bench", "compare", a, b, "--min", "node Acc@1"]) == 2
