"""A suite from any context: verified, the same every time, and as many sessions as asked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bot.bench.simulate.simulate import Request, simulate
from bot.bench.suite import Suite, load
from bot.cli import main
from bot.errors import ConfigError

FIXTURES = Path(__file__).parents[3] / "fixtures"
SCENARIOS = FIXTURES / "scenarios"


def made(context: Path, out: Path, count: int = 24, seed: int = 3) -> Suite:
    results = simulate(Request(context, out, seed, count))
    assert [result.failures for result in results] == [()] * 9
    return load(out)


def operation(label: object) -> str:
    return str(label.expected_recommendation.operation)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["kb-gap", "agent-skills-layout"])
def test_a_suite_verifies_on_another_layout(name: str, tmp_path: Path) -> None:
    suite = made(SCENARIOS / name / "context", tmp_path / "suite")
    assert len(suite.trajectories) == len(suite.labels) == 24
    assert (suite.root / "README.md").read_text("utf-8").startswith("# Simulated sessions")
    real = [label for label in suite.labels.values() if label.is_dsat]
    assert {operation(label) for label in real} >= {"UPDATE", "CREATE", "NO_ACTION"}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    context = SCENARIOS / "vendor-invoice" / "context"
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        made(context, tmp_path / name, 12, seed)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    a, b, c = (
        [(tmp_path / n / f).read_bytes() if (tmp_path / n / f).is_file() else b"" for f in files]
        for n in "abc"
    )
    assert a == b
    assert a != c


def test_every_kind_of_fault_comes_from_a_full_repository(tmp_path: Path) -> None:
    context = FIXTURES / "bench" / "finance" / "context"
    suite = made(context, tmp_path / "suite", 60)
    kinds = Counter(
        "DELETE" if label.is_dsat and operation(label) == "DELETE" else label.fault_category
        for label in suite.labels.values()
    )
    assert set(kinds) == {
        "SKILL_FILE_STALE",
        "KB_CONTENT_STALE",
        "KB_CONTENT_GAP",
        "TOOL_PROMPT_ERROR",
        "SYSTEM_PROMPT_GAP",
        "RETRIEVAL_FAILURE",
        "DELETE",
        "NONE",
    }
    counts = [len(t.nodes) for t in suite.trajectories]
    assert min(counts) >= 2
    assert max(counts) > 11
    changed = [
        fault
        for fault in suite.faults
        if fault["faulty_source"]["path"].startswith("skills/")
        and fault["faulty_source"]["content"]
    ]
    for fault in changed:
        path = fault["faulty_source"]["path"]
        assert fault["faulty_source"]["content"] not in (context / path).read_text("utf-8")
        assert fault["correct_value"]["content"] in (context / path).read_text("utf-8")


def test_the_context_itself_is_left_alone(tmp_path: Path) -> None:
    context = SCENARIOS / "kb-stale" / "context"
    before = {p: p.read_bytes() for p in context.rglob("*") if p.is_file()}
    made(context, tmp_path / "suite", 8)
    assert {p: p.read_bytes() for p in context.rglob("*") if p.is_file()} == before


def test_no_label_stands_in_a_session(tmp_path: Path) -> None:
    made(SCENARIOS / "kb-gap" / "context", tmp_path / "suite")
    for line in (tmp_path / "suite" / "trajectories.jsonl").read_text("utf-8").splitlines():
        assert "fault" not in json.loads(line)
        assert not any(word in line for word in ("KB_CONTENT_", "root_cause", '"mark"'))


def test_categories_can_be_asked_for(tmp_path: Path) -> None:
    context = str(SCENARIOS / "kb-gap" / "context")
    asked = ["--per-category", "KB_CONTENT_GAP=4", "--per-category", "CONTROL=2"]
    out = ["-o", str(tmp_path / "suite"), "--count", "6", "--seed", "2"]
    assert main(["bench", "simulate", "--context", context, *out, *asked]) == 0
    suite = load(tmp_path / "suite")
    assert Counter(label.fault_category for label in suite.labels.values()) == {
        "KB_CONTENT_GAP": 4,
        "NONE": 2,
    }
    assert main(["bench", "verify", str(tmp_path / "suite")]) == 0


def test_what_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    context = SCENARIOS / "kb-gap" / "context"
    with pytest.raises(ConfigError, match="nothing that a TOOL_PROMPT_ERROR"):
        simulate(Request(context, tmp_path / "a", 1, 4, {"TOOL_PROMPT_ERROR": 1}))
    with pytest.raises(ConfigError, match="no category 'GAP'"):
        simulate(Request(context, tmp_path / "b", 1, 4, {"GAP": 1}))
    with pytest.raises(ConfigError, match="3 sessions more"):
        simulate(Request(context, tmp_path / "c", 1, 4, {"CONTROL": 7}))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="no sentence, row or parameter"):
        simulate(Request(tmp_path / "empty", tmp_path / "d", 1, 4))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with pytest.raises(ConfigError, match="is not empty"):
        simulate(Request(context, tmp_path / "full", 1, 4))
