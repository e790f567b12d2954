"""An engine may claim anything; what a stage lets through was proved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.engines.scripted import Answer, ScriptedEngine
from bot.errors import ConfigError, EditRefused, Rejected
from bot.proof.quotes import stands_in_repo
from bot.records.change import Edit, Recommendation
from bot.records.finding import (
    Attribution,
    Case,
    Delta,
    Detection,
    Hypothesis,
    NodeQuote,
    NodeScore,
    RepoQuote,
    Signal,
)
from bot.records.report import Skipped
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn
from bot.run import diagnose_all
from bot.stages.attribute import attribute
from bot.stages.recommend import recommend
from context_repo_schema.component import Component

SKILL, POLICY = "skills/returns/SKILL.md", "kb/policies/returns.md"
NOTE, SCHEMA = "kb/drafts/notes.md", "database/schema.sql"
TEXTS = {
    SKILL: "# Returns\n\nA customer has 30 days.\nRefund at once.\n",
    POLICY: "# Policy\n\nThe window is 14 days.\n",
    NOTE: "I heard 14 days.\n",
    SCHEMA: "create table orders (id int); -- kept 14 days\n",
}
REPO = ContextRepo(
    root=Path(),
    commit="c" * 40,
    components=(
        Component("skill", SKILL),
        Component("kb_entry", POLICY, read_only="a generated file"),
        Component("kb_entry", NOTE),
        Component("schema_hint", SCHEMA),
    ),
    texts=TEXTS,
    history={},
)
SESSION = Trajectory(
    "s",
    (
        Turn(1, "user", "How long?"),
        Turn(2, "assistant", "30 days."),
        Turn(3, "user", "The notice says 14 days, you cost me the refund."),
    ),
    nodes=(
        Node("n1", 1, "user_query_processing", input={"raw_query": "How long?"}),
        Node(
            "n2",
            2,
            "skill_lookup",
            tool=ToolCall("read", {"path": SKILL}, {"content": TEXTS[SKILL]}),
        ),
        Node("n3", 2, "response_generation", output={"response": "30 days."}),
    ),
)
CASE = Case(SESSION, (), Detection(True, 1.0))
CLAIM = Attribution(
    delta=Delta("DELTA: Expected 14 days but got 30 days", "14 days", "30 days"),
    root_cause_node="n2",
    scores=(NodeScore("n1", 0.1), NodeScore("n2", 0.5), NodeScore("n3", 0.4)),
    fault_category="SKILL_FILE_STALE",
    component_type="skill",
    component_path=SKILL,
    gradient_description="say 14 days",
    evidence=(NodeQuote("n2", "A customer has 30 days."), NodeQuote("n3", "you have 99 days")),
    hypotheses=(
        Hypothesis(
            category="SKILL_FILE_STALE",
            operation="UPDATE",
            component_type="skill",
            component_path=SKILL,
            node_id="n2",
            score=1.0,
            reason="",
            faulty=RepoQuote(SKILL, 3, "A customer has 30 days."),
            authority=RepoQuote(POLICY, 9, "The window is 14 days."),
        ),
    ),
    margin=0.9,
)
FIX = Recommendation(
    operation="UPDATE",
    target_path=SKILL,
    recommended_change="14 days",
    classification="SYSTEMIC",
    confidence=0.9,
    authoritative_source=POLICY,
    verified=True,
    edits=(Edit(SKILL, "UPDATE", new="14 days", old="30 days"),),
    evidence=(RepoQuote(POLICY, 3, "The window is 14 days."), RepoQuote(POLICY, 1, "invented")),
)


def claimed(**changes: Any) -> Attribution | None:
    engine = ScriptedEngine({"s": Answer(attribution=replace(CLAIM, **changes))})
    return attribute(CASE, engine, REPO)


def proposed(**changes: Any) -> Recommendation | None:
    engine = ScriptedEngine({"s": Answer(recommendation=replace(FIX, **changes))})
    return recommend(CASE, CLAIM, engine, REPO)


def test_a_quote_that_does_not_stand_in_the_session_is_dropped() -> None:
    found = claimed()
    assert found is not None
    assert [q.node_id for q in found.evidence] == ["n2"]
    assert found.hypotheses[0].faulty is not None
    assert found.hypotheses[0].authority is None


@pytest.mark.parametrize(
    "changes",
    [
        {"root_cause_node": "n9"},
        {"component_path": "skills/none.md"},
        {"evidence": (NodeQuote("n2", "never said"), NodeQuote("n2", "  "))},
        {"evidence": ()},
    ],
)
def test_a_claim_without_proof_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        claimed(**changes)


@pytest.mark.parametrize(
    "scores",
    [
        (NodeScore("n1", 5.0), NodeScore("n2", 5.0)),
        (NodeScore("n1", 1.0),),
        (NodeScore("n1", -3.0), NodeScore("n2", 0.0)),
        (NodeScore("n9", 7.0), NodeScore("n2", 0.2)),
        (),
    ],
)
def test_scores_sum_to_one_with_the_root_on_top(scores: tuple[NodeScore, ...]) -> None:
    found = claimed(scores=scores)
    assert found is not None
    by_node = {s.node_id: s.score for s in found.scores}
    assert sum(by_node.values()) == pytest.approx(1.0)
    assert all(score >= 0 for score in by_node.values())
    assert all(by_node["n2"] > score for node, score in by_node.items() if node != "n2")
    assert set(by_node) <= {"n1", "n2", "n3"}


def test_a_recommendation_keeps_what_stands_in_the_repository() -> None:
    found = proposed()
    assert found is not None
    assert found.evidence == (RepoQuote(POLICY, 3, "The window is 14 days."),)
    assert found.authoritative_source == POLICY
    assert found.verified


def test_an_authority_that_is_not_quoted_is_none() -> None:
    found = proposed(evidence=(RepoQuote(POLICY, 2, "The window is 14 days."),))
    assert found is not None
    assert (found.authoritative_source, found.verified) == (None, False)


def test_a_change_without_exact_words_is_a_finding_that_proves_nothing() -> None:
    found = proposed(edits=())
    assert found is not None
    assert (found.operation, found.target_path, found.verified) == ("UPDATE", SKILL, False)


@pytest.mark.parametrize(
    "changes",
    [
        {"target_path": POLICY},
        {"target_path": SCHEMA, "edits": (Edit(SCHEMA, "UPDATE", new="b", old="id"),)},
        {"target_path": POLICY, "edits": (Edit(POLICY, "UPDATE", new="b", old="14"),)},
        {"target_path": "setup.py", "edits": (Edit("setup.py", "UPDATE", new="b", old="a"),)},
    ],
)
def test_an_edit_outside_the_editable_components_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        proposed(**changes)


@pytest.mark.parametrize("old", ["days.\n", "a", "60 days"])
def test_an_edit_whose_old_text_is_not_unique_is_refused(old: str) -> None:
    edits = (Edit(SKILL, "UPDATE", new="x", old=old),)
    if TEXTS[SKILL].count(old) == 1:
        assert proposed(edits=edits) is not None
    else:
        with pytest.raises(EditRefused, match=SKILL):
            proposed(edits=edits)


@pytest.mark.parametrize(
    ("authority", "quote", "new", "proved"),
    [
        (POLICY, RepoQuote(POLICY, 3, "The window is 14 days."), "14 days", True),
        (POLICY, RepoQuote(POLICY, 3, "The window is 14 days."), "21 days", False),
        (POLICY, RepoQuote(POLICY, 3, "The window is 14 days."), "whatever we like to say", False),
        (SKILL, RepoQuote(SKILL, 4, "Refund at once."), "14 days", False),
        (NOTE, RepoQuote(NOTE, 1, "I heard 14 days."), "14 days", False),
        (SCHEMA, RepoQuote(SCHEMA, 1, TEXTS[SCHEMA].strip()), "14 days (kept)", True),
        (SCHEMA, RepoQuote(SCHEMA, 1, TEXTS[SCHEMA].strip()), "30 days (orders)", False),
    ],
)
def test_only_a_source_that_outranks_the_file_verifies_a_fault(
    authority: str, quote: RepoQuote, new: str, proved: bool
) -> None:
    found = proposed(
        authoritative_source=authority,
        evidence=(quote,),
        edits=(Edit(SKILL, "UPDATE", new=new, old="30 days"),),
        verified=not proved,
    )
    assert found is not None
    assert found.verified is proved


def test_a_component_that_cannot_repair_the_category_is_refused() -> None:
    with pytest.raises(Rejected):
        claimed(component_type="tool_prompt")


def test_no_action_has_no_edits() -> None:
    found = proposed(operation="NO_ACTION")
    assert found is not None
    assert found.edits == ()


@pytest.mark.parametrize(
    ("line", "quote", "stands"),
    [
        (3, "A customer has 30 days.", True),
        (3, "30 days.\nRefund at once.", True),
        (2, "A customer has 30 days.", False),
        (4, "A customer has 30 days.", False),
        (0, "# Returns", False),
        (99, "# Returns", False),
        (3, "", False),
    ],
)
def test_a_repository_quote_stands_at_its_line(line: int, quote: str, stands: bool) -> None:
    assert stands_in_repo(REPO, RepoQuote(SKILL, line, quote)) is stands


SIGNAL = Signal("CORRECTION", "The notice says 14 days", 3, 0.95)


def answer(**changes: Any) -> Answer:
    whole = {"signals": (SIGNAL,), "attribution": CLAIM, "recommendation": FIX}
    return Answer(**{**whole, **changes})


def test_one_broken_session_is_a_row_and_the_rest_goes_on() -> None:
    engine = ScriptedEngine(
        {"bad": Answer(failure=ValueError("the user said SECRET")), "good": answer()}
    )
    sessions = [replace(SESSION, session_id=name) for name in ("bad", "good", "good")]
    found = diagnose_all([*sessions, Skipped("x:1", "no JSON")], engine, REPO)
    bad, good = found.sessions
    assert bad.error is not None
    assert "ValueError" in bad.error
    assert "SECRET" not in bad.error
    assert good.recommendation is not None
    assert [s.where for s in found.skipped] == ["x:1"]
    assert [s.where for s in found.repeated] == ["good"]
    assert list(found.spans) == ["good"]


def test_a_failure_of_the_outside_world_ends_the_run() -> None:
    engine = ScriptedEngine({"s": Answer(failure=ConfigError("no key"))})
    with pytest.raises(ConfigError):
        diagnose_all([SESSION], engine, REPO)


def test_a_refused_claim_leaves_a_note_and_no_error() -> None:
    engine = ScriptedEngine({"s": answer(attribution=replace(CLAIM, root_cause_node="n9"))})
    (result,) = diagnose_all([SESSION], engine, REPO).sessions
    assert (result.attribution, result.recommendation, result.error) == (None, None, None)
    assert result.notes


def test_limit_stops_after_that_many_sessions() -> None:
    sessions = [replace(SESSION, session_id=f"s{n}") for n in range(5)]
    assert len(diagnose_all(sessions, ScriptedEngine({}), REPO, limit=2).sessions) == 2
