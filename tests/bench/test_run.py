"""A run over a suite: floors beside the engine, labels out of its sight, and the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from bot.bench import page, render
from bot.bench.floors import FLOORS, Frequent
from bot.bench.result import made, of_one_engine, read, result
from bot.bench.run import Lineup, Part, misses, run_all, run_suite
from bot.bench.suite import load
from bot.bench.tables import curve, tables, weak_points
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Delta, NodeQuote, NodeScore, Signal
from bot.records.trajectory import Node, ToolCall

FEES = "knowledge_base/fees.md"
ATTRIBUTION = Attribution(
    Delta("", "25", "40"),
    "n2",
    (NodeScore("n2", 0.9), NodeScore("n1", 0.1)),
    "KB_CONTENT_STALE",
    "kb_entry",
    FEES,
    "The late fee is out of date.",
    (NodeQuote("n2", "The late fee is $40."),),
    (),
    0.9,
)
SIGNAL = Signal("CORRECTION", "My letter says 25 dollars.", 3, 0.9)


def answers(scripted: Any) -> Any:
    right = Recommendation("NO_ACTION", None, "", "INCIDENTAL", 0.5)
    return scripted({"s-1": ATTRIBUTION}, {"s-1": right}, {"s-1": SIGNAL})


def played(folder: Any, scripted: Any, tmp_path: Path) -> tuple[Part, ...]:
    suite = load(folder.write(tmp_path))
    return run_all([suite], lambda suite: Lineup(lambda: answers(scripted)))


def test_rows_are_scored_by_the_label(folder: Any, scripted: Any, tmp_path: Path) -> None:
    first, second = run_suite(load(folder.write(tmp_path)), answers(scripted))
    assert (first.found_dsat, first.node, first.category, first.operation) == (
        True,
        True,
        True,
        False,
    )
    assert (second.expected_dsat, second.found_dsat, second.error) == (False, False, None)
    assert misses((first, second)) == (first,)


def test_the_engine_sees_no_label(folder: Any, scripted: Any, tmp_path: Path) -> None:
    engine = answers(scripted)
    run_suite(load(folder.write(tmp_path)), engine)
    shown = msgspec.json.encode(engine.shown).decode()
    assert "s-1" in shown
    for word in ("KB_CONTENT_STALE", "expected", "faulty_content", "root_cause", "F1"):
        assert word not in shown


def test_floors_stand_beside_every_suite(folder: Any, scripted: Any, tmp_path: Path) -> None:
    (part,) = played(folder, scripted, tmp_path)
    assert set(part.floors) == set(FLOORS)
    assert part.learned_on == "the suite itself"
    reads = part.floors["first read"][0]
    assert (reads.node, reads.operation, reads.found_target) == (
        True,
        True,
        "knowledge_base/policies/fees.md",
    )
    assert part.floors["last node"][0].node is False


def test_frequent_learns_from_what_it_is_given(folder: Any, tmp_path: Path) -> None:
    suite = load(folder.write(tmp_path))
    assert Frequent([suite]).category == "KB_CONTENT_STALE"
    assert Frequent([]).operation == "NO_ACTION"


def test_rankings_put_errors_and_reads_first() -> None:
    nodes = [
        Node("a", 1, "reasoning"),
        Node("b", 1, "kb_read", tool=ToolCall("read", status="ok")),
        Node("c", 1, "tool_call", tool=ToolCall("pay", status="error", error="no")),
    ]
    order = {name: "".join(n.node_id for n in rank(nodes)) for name, rank in FLOORS.items()}
    assert order["last node"] == "cba"
    assert order["first error"] == "cab"
    assert order["first read"] == "bac"
    assert sorted(order["random"]) == ["a", "b", "c"]
    assert list(FLOORS["random"](nodes)) == list(FLOORS["random"](nodes))


def test_a_result_is_written_and_read_back(folder: Any, scripted: Any, tmp_path: Path) -> None:
    found = result(made("scripted", "trace-bot bench run x"), played(folder, scripted, tmp_path))
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(found))
    again = read(tmp_path / "run.json")
    assert again == found
    assert of_one_engine((again,)) == (found,)
    assert json.loads(msgspec.json.encode(found))["schema"] == "trace-bot/bench/v1"


def test_report_and_page_show_the_same_tables(folder: Any, scripted: Any, tmp_path: Path) -> None:
    found = result(made("scripted", "trace-bot bench run x"), played(folder, scripted, tmp_path))
    text, html = render.document((found,)), page.page((found,))
    for table in tables(found):
        assert f"### {table.title}\n" in text
        assert f"<h3>{table.title}</h3>" in html
    assert "| recovery rate | not measured |" in text
    assert "the rule 'first read' reaches node Acc@1 1.00, the engine 1.00." in text
    assert "prefers-color-scheme: dark" in html
    assert html.count("<svg") == 6
    assert "<script" not in html
    assert "src=" not in html


def test_hostile_names_stay_text(folder: Any, scripted: Any, tmp_path: Path) -> None:
    name = 's-1"><script>alert(1)</script>|x'
    folder.sessions[0]["session_id"] = folder.labels[0]["session_id"] = name
    suite = load(folder.write(tmp_path))
    parts = run_all([suite], lambda suite: Lineup(scripted))
    html = page.page((result(made("scripted", "x"), parts),))
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_curve_falls_from_the_surest_proposal() -> None:
    from bot.bench.score import Row

    base = Row("suite", "s", "simple", True, True, "X", None, "kb_entry", *[None] * 6)
    rows = [
        msgspec.structs.replace(base, proposed=True, margin=margin, fix=fix, expected_dsat=real)
        for margin, fix, real in (
            (0.9, True, True),
            (0.9, True, True),
            (0.5, False, True),
            (0.2, None, False),
        )
    ]
    points = curve([*rows, base])
    assert [(p.count, p.coverage, round(p.precision, 2)) for p in points] == [
        (2, 0.5, 1.0),
        (3, 0.75, 0.67),
        (4, 0.75, 0.5),
    ]


def test_what_is_weak_is_said(folder: Any, scripted: Any, tmp_path: Path) -> None:
    found = result(made("scripted", "x"), played(folder, scripted, tmp_path))
    said = " ".join(weak_points((found,))["Benchmark"])
    assert "Weakest category: KB_CONTENT_STALE, fix effectiveness 0.00 of 1." in said
    assert "1 of 2 sessions have something wrong" in said
