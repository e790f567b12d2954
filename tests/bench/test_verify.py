"""Every check fails on what it is there to find, and on nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.bench.suite import load
from bot.bench.verify import CheckResult, render, verify
from bot.context.read import read_repo

COPY, STANDS, CROSS, FIRST, SUM = (f"CHECK {number}" for number in range(1, 6))


def checked(root: Path) -> tuple[CheckResult, ...]:
    suite = load(root)
    return verify(suite, read_repo(suite.context, history=suite.history))


def failing(root: Path) -> list[str]:
    return [
        result.title.partition(" (")[0] if "CHECK" in result.title else result.title
        for result in checked(root)
        if result.failures
    ]


def test_sound_suite_passes_everything(folder: Any, tmp_path: Path) -> None:
    results = checked(folder.write(tmp_path))
    assert [result.failures for result in results] == [()] * 9
    text = render(results)
    assert "CHECK 1 (Tool Output = Source): 2/2 PASS" in text
    assert text.endswith("OVERALL: 2/2 traces pass all verification checks\n")


def test_an_article_kept_as_json_is_copied_by_its_content(folder: Any, tmp_path: Path) -> None:
    folder.sessions[1]["nodes"][0]["tool"]["output"]["content"] = "A lost card costs $10."
    assert failing(folder.write(tmp_path)) == []


def copied_loosely(folder: Any) -> None:
    folder.sessions[0]["nodes"][1]["tool"]["output"]["content"] = "The late fee is $40,\nsurely."
    folder.labels[0]["root_cause"]["faulty_content"] = "The late fee is $40."


def copied_from_nowhere(folder: Any) -> None:
    folder.sessions[1]["nodes"][0]["tool"]["output"]["path"] = "knowledge_base/gone.md"


def annotated_wrongly(folder: Any) -> None:
    folder.labels[0]["root_cause"]["faulty_content"] = "The late fee is $41."


def annotated_nothing(folder: Any) -> None:
    folder.labels[0]["root_cause"]["faulty_content"] = None


def quoted_wrongly(folder: Any) -> None:
    folder.labels[0]["signals"][0]["evidence"] = "letter says 26 dollars"


def points_at_no_node(folder: Any) -> None:
    folder.labels[0]["accept_nodes"] = ["n9"]


def points_at_no_target(folder: Any) -> None:
    folder.labels[0]["expected_recommendation"]["target"] = "knowledge_base/fee.md"


def points_at_no_source(folder: Any) -> None:
    folder.labels[0]["expected_recommendation"]["authoritative_source"] = "policies/x.md"


def points_at_a_later_node(folder: Any) -> None:
    folder.sessions[0]["nodes"][2]["output"] = {"response": "It is $40."}
    folder.labels[0]["root_cause"]["node_id"] = "n3"
    folder.labels[0]["expected_attribution"] = {"n2": 0.2, "n3": 0.8}
    folder.labels[0]["cascade"] = []


def adds_up_to_less(folder: Any) -> None:
    folder.labels[0]["expected_attribution"] = {"n2": 0.7, "n3": 0.2}


def names_the_wrong_tier(folder: Any) -> None:
    folder.labels[0]["complexity"] = "difficult"


def goes_back_in_time(folder: Any) -> None:
    folder.sessions[0]["turns"][0]["timestamp"] = "2026-02-02T09:00:00Z"
    folder.sessions[0]["turns"][1]["timestamp"] = "2026-02-02T08:00:00Z"


def answers_what_was_never_said(folder: Any) -> None:
    folder.sessions[0]["nodes"][2]["output"] = {"response": "It is $41."}


def gives_the_most_to_another_node(folder: Any) -> None:
    folder.labels[0]["expected_attribution"] = {"n2": 0.2, "n3": 0.8}


def is_in_another_file(folder: Any) -> None:
    folder.faults[0]["faulty_source"]["path"] = "skills/pay/SKILL.md"


def is_not_named_by_its_fault(folder: Any) -> None:
    folder.faults[0]["trigger"] = {"session_id": "s-2"}


def is_settled_by_nothing(folder: Any) -> None:
    folder.labels[0]["expected_recommendation"]["authoritative_source"] = None


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (copied_loosely, [COPY]),
        (copied_from_nowhere, [COPY]),
        (annotated_wrongly, [STANDS]),
        (annotated_nothing, [STANDS]),
        (quoted_wrongly, [CROSS]),
        (points_at_no_node, [CROSS]),
        (points_at_no_target, [CROSS]),
        (points_at_no_source, [CROSS]),
        (points_at_a_later_node, [FIRST]),
        (adds_up_to_less, [SUM]),
        (names_the_wrong_tier, ["LIST (Complexity Labels)"]),
        (goes_back_in_time, ["LIST (Realism)"]),
        (answers_what_was_never_said, ["LIST (Realism)"]),
        (gives_the_most_to_another_node, ["LIST (Traceability)"]),
        (is_in_another_file, ["LIST (Traceability)"]),
        (is_not_named_by_its_fault, ["LIST (Traceability)"]),
        (is_settled_by_nothing, ["LIST (Traceability)"]),
    ],
)
def test_a_tampered_suite_fails_the_check_that_is_there_for_it(
    tamper: Callable[[Any], None], found: list[str], folder: Any, tmp_path: Path
) -> None:
    tamper(folder)
    assert failing(folder.write(tmp_path)) == [*found, "OVERALL"]


def test_an_unknown_fault_fails(folder: Any, tmp_path: Path) -> None:
    folder.labels[0]["fault_id"] = "F2"
    assert failing(folder.write(tmp_path)) == [CROSS, "LIST (Traceability)", "OVERALL"]


def test_a_session_without_label_fails_as_a_whole(folder: Any, tmp_path: Path) -> None:
    folder.labels.pop()
    results = checked(folder.write(tmp_path))
    assert results[-1].failures == ("s-2: has no label, or no session",)


def test_a_broken_line_is_named(folder: Any, tmp_path: Path) -> None:
    root = folder.write(tmp_path)
    lines = (root / "labels.jsonl").read_text("utf-8").splitlines()
    broken = json.dumps({"session_id": "s-2"})
    (root / "labels.jsonl").write_text("\n".join([lines[0], broken]) + "\n", "utf-8")
    with pytest.raises(Exception, match=r"labels\.jsonl:2: .*is_dsat.*mend or remove"):
        load(root)
