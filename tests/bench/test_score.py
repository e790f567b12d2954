"""What counts as right, where more than one answer is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bot.bench.score import score
from bot.bench.suite import ExpectedRecommendation, Label, RootCause
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Delta, Detection, Hypothesis, NodeScore, RepoQuote
from bot.records.report import SessionResult

FEES = "knowledge_base/fees.md"
LABEL = Label(
    "s",
    True,
    "KB_CONTENT_STALE",
    root_cause=RootCause("n2", "kb_entry", FEES, "40", "25"),
    expected_recommendation=ExpectedRecommendation("UPDATE", FEES, "SYSTEMIC"),
)


def found(
    nodes: str = "n2", operation: Any = "UPDATE", target: str | None = FEES, margin: float = 0.9
) -> SessionResult:
    ranked = nodes.split()
    attribution = Attribution(
        Delta("", "", ""),
        ranked[0],
        tuple(NodeScore(node, 1 / (n + 2)) for n, node in enumerate(ranked)),
        "KB_CONTENT_STALE",
        "kb_entry",
        FEES,
        "",
        (),
        (),
        margin,
    )
    recommendation = Recommendation(operation, target, "", "SYSTEMIC", 0.9)
    detection = Detection(is_dsat=True, confidence=0.9)
    return SessionResult("s", "u", (), detection, attribution, recommendation=recommendation)


def labelled(**changes: Any) -> Label:
    return msgspec.structs.replace(LABEL, **changes)


def row(label: Label, result: SessionResult) -> Any:
    return score("suite", label, result, ready=result.attribution is not None)


def test_everything_right_is_a_fix_end_to_end() -> None:
    got = row(LABEL, found())
    assert (got.node, got.operation, got.path, got.fix, got.end_to_end) == (True,) * 5
    assert got.proposed
    assert got.ready


@pytest.mark.parametrize(
    ("nodes", "node", "at_3"),
    [
        ("n2 n1", True, True),
        ("n1 n3 n2", False, True),
        ("n1 n3 n4 n2", False, False),
        ("n5 n1", True, True),
    ],
)
def test_node_counts_where_it_is_the_root_or_accepted(nodes: str, node: bool, at_3: bool) -> None:
    got = row(labelled(accept_nodes=("n5",)), found(nodes))
    assert (got.node, got.node_at_3) == (node, at_3)


@pytest.mark.parametrize(
    ("target", "path", "partial"),
    [
        (FEES, True, True),
        ("knowledge_base/policies/x.md", True, True),
        ("docs/fees.md", False, True),
        ("knowledge_base/other.md", False, False),
        (None, False, False),
    ],
)
def test_path_counts_exactly_by_accepted_glob_or_in_part(
    target: str | None, path: bool, partial: bool
) -> None:
    label = labelled(accept_targets=("knowledge_base/policies/*.md",))
    got = row(label, found(target=target))
    assert (got.path, got.path_partial, got.fix) == (path, partial, path)


def test_two_skills_are_told_apart_by_their_folder() -> None:
    target = "skills/pay/SKILL.md"
    label = labelled(expected_recommendation=ExpectedRecommendation("UPDATE", target, "SYSTEMIC"))
    assert row(label, found(target="x/pay/SKILL.md")).path_partial is True
    assert row(label, found(target="x/bill/SKILL.md")).path_partial is False


@pytest.mark.parametrize(
    ("category", "component", "expected", "answered", "right"),
    [
        ("SYSTEM_PROMPT_GAP", "system_prompt", "CREATE", "UPDATE", True),
        ("RETRIEVAL_FAILURE", "synonym_map", "UPDATE", "CREATE", True),
        ("KB_CONTENT_GAP", "kb_entry", "CREATE", "UPDATE", False),
        ("RETRIEVAL_FAILURE", "kb_entry", "UPDATE", "CREATE", False),
        ("KB_CONTENT_STALE", "kb_entry", "DELETE", "UPDATE", False),
    ],
)
def test_create_and_update_are_one_only_for_a_missing_rule_or_term(
    category: Any, component: Any, expected: Any, answered: str, right: bool
) -> None:
    label = labelled(
        fault_category=category,
        root_cause=RootCause("n2", component, FEES),
        expected_recommendation=ExpectedRecommendation(expected, FEES, "SYSTEMIC"),
    )
    assert row(label, found(operation=answered)).operation is right


def test_an_accepted_operation_counts() -> None:
    label = labelled(accept_operations=("DELETE",))
    assert row(label, found(operation="DELETE")).fix is True


WRONG, POLICY = RepoQuote(FEES, 3, "25"), "knowledge_base/policies/fees.md"


@pytest.mark.parametrize(
    ("faulty", "source", "labelled_line", "labelled_source", "right"),
    [
        (WRONG, POLICY, "25", POLICY, True),
        (RepoQuote(FEES, 4, "At noon."), POLICY, "25", POLICY, False),
        (WRONG, FEES, "25", POLICY, False),
        (WRONG, None, "25", None, True),
        (None, POLICY, "", POLICY, True),
        (WRONG, POLICY, "", POLICY, False),
        (None, POLICY, "25", POLICY, False),
    ],
)
def test_a_right_fix_rests_on_the_labelled_texts(
    faulty: RepoQuote | None,
    source: str | None,
    labelled_line: str,
    labelled_source: str | None,
    right: bool,
) -> None:
    result = found()
    assert result.attribution is not None
    first = Hypothesis("KB_CONTENT_STALE", "UPDATE", "kb_entry", FEES, "n2", 1.0, "", faulty)
    told = msgspec.structs.replace(
        result,
        attribution=msgspec.structs.replace(result.attribution, hypotheses=(first,)),
        recommendation=msgspec.structs.replace(result.recommendation, authoritative_source=source),
    )
    label = labelled(
        root_cause=RootCause("n2", "kb_entry", FEES, labelled_line, "40"),
        expected_recommendation=ExpectedRecommendation(
            "UPDATE", FEES, "SYSTEMIC", authoritative_source=labelled_source
        ),
    )

    assert row(label, told).texts is right
    assert row(label, found(target="other.md")).texts is None


def test_no_action_has_no_path_and_is_a_fix_when_nothing_is_proposed() -> None:
    label = labelled(
        fault_category="NONE",
        root_cause=None,
        expected_recommendation=ExpectedRecommendation("NO_ACTION", None, "INCIDENTAL"),
    )
    got = row(label, found(operation="NO_ACTION", target=None))
    assert (got.node, got.path, got.fix, got.proposed) == (None, None, True, False)


def test_a_control_has_no_parts_but_shows_a_proposal() -> None:
    got = row(Label("s", False), found())
    assert (got.node, got.fix, got.proposed, got.expected_dsat) == (None, None, True, False)


def test_a_session_that_failed_is_wrong_throughout() -> None:
    got = row(LABEL, SessionResult("s", "u", error="KeyError in x:1"))
    assert (got.node, got.fix, got.end_to_end, got.error) == (
        False,
        False,
        False,
        "KeyError in x:1",
    )
