"""What failed is tried again on the patched texts, and a failed trial makes a draft."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.context.repo import ContextRepo
from bot.records.change import Edit
from bot.records.finding import RepoQuote
from bot.records.plan import Limits, Planned
from bot.records.report import SessionResult
from bot.stages.describe import describe
from bot.stages.plan import plan
from bot.stages.replay import AGREES, FINDS, GONE, HOLDS, replayed
from bot.stages.retrieval import Ground
from tests.proposals import FILES, POLICY, SKILL, THRESHOLD, TOOL, session, write_files

SYNONYMS = "embeddings/synonym_mapping.json"
PROMPT = "prompts/system_prompt.md"
BERTHS = "knowledge_base/berths.md"
MORE = {
    **FILES,
    "tools/tool_definitions.json": '[\n  {"name": "pay", "description": "Pays within 3 days", '
    '"input_schema": {"type": "object"}}\n]\n',
    SYNONYMS: '{\n  "invoice": ["bill"]\n}\n',
    BERTHS: "# Moorings\n\nA mooring in the inner basin is let for one season.\n",
    "database/schema.sql": "CREATE TABLE pay.runs (\n"
    "  state TEXT CHECK (state IN ('OPEN', 'PAID'))\n);\n",
    **{
        f"knowledge_base/page-{n}.md": f"# Page {n}\n\nParking spot number {n}.\n" for n in range(8)
    },
}


@pytest.fixture
def repo(tmp_path: Path) -> ContextRepo:
    return write_files(tmp_path, MORE)


def tried(repo: ContextRepo, *results: SessionResult) -> Planned:
    spans = {result.session_id: () for result in results}
    (planned,) = plan(results, repo, spans=spans)
    return replayed(planned, results, Ground(repo))


def held(planned: Planned) -> dict[str, bool | None]:
    return {trial.title: trial.held for trial in planned.trials}


def test_a_change_that_mends_all_of_it_stays_ready(repo: ContextRepo) -> None:
    planned = tried(repo, session("s1", THRESHOLD))
    assert held(planned) == {GONE: True}
    assert planned.change_set.state == "ready"


def test_a_wrong_value_that_stands_elsewhere_makes_a_draft(tmp_path: Path) -> None:
    copy = "# Desk\n\nInvoices above 50,000 dollars go to procurement.\n"
    repo = write_files(tmp_path, {**MORE, "knowledge_base/desk.md": copy})
    planned = tried(repo, session("s1", THRESHOLD))
    assert held(planned) == {GONE: False}
    assert planned.change_set.state == "draft"
    assert planned.change_set.reasons == (
        "replay: knowledge_base/desk.md:3 still says what is changed here",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Loans above $50,000 go to the bank's own desk for a credit check.",
        "Invoices above $25,000 go to procurement.",
        "---\nstatus: superseded\n---\nInvoices above $50,000 go to procurement.",
    ],
    ids=["other subject", "right value", "out of force"],
)
def test_what_says_something_else_is_no_remainder(tmp_path: Path, text: str) -> None:
    repo = write_files(tmp_path, {**MORE, "knowledge_base/desk.md": f"{text}\n"})
    assert held(tried(repo, session("s1", THRESHOLD))) == {GONE: True}


def retrieval(edit: Edit, *lookups: str) -> SessionResult:
    result = session("s1", edit, kind="RETRIEVAL_FAILURE", verified=False)
    claim = msgspec.structs.replace(result.recommendation, authoritative_source=BERTHS)
    return msgspec.structs.replace(result, recommendation=claim, lookups=lookups)


def test_the_search_is_made_again_with_the_new_synonyms(repo: ContextRepo) -> None:
    tie = Edit(SYNONYMS, "UPDATE", '"bill"],\n  "parking spot": ["mooring"]', '"bill"]')
    results = (retrieval(tie, "parking spot"),)
    limits = Limits(min_trajectories=1, min_principals=1, max_share_per_principal=100)
    (planned,) = plan(results, repo, limits, {"s1": ()})
    told = replayed(planned, results, Ground(repo))
    assert held(told)[FINDS] is True
    other = (retrieval(tie, "berth by the sea"),)
    (planned,) = plan(other, repo, limits, {"s1": ()})
    lost = replayed(planned, other, Ground(repo))
    assert held(lost)[FINDS] is False
    assert lost.change_set.state == "draft"


def test_a_document_below_the_first_five_is_not_found(tmp_path: Path) -> None:
    """Eight pages hold more of what was asked."""
    pages = {
        f"knowledge_base/page-{n}.md": f"# Page {n}\n\nParking spot {n} for a season.\n"
        for n in range(8)
    }
    repo = write_files(tmp_path, {**MORE, **pages})
    tie = Edit(SYNONYMS, "UPDATE", '"bill"],\n  "quay": ["pier"]', '"bill"]')
    results = (retrieval(tie, "parking spot for a season"),)
    limits = Limits(min_trajectories=1, min_principals=1, max_share_per_principal=100)
    (planned,) = plan(results, repo, limits, {"s1": ()})
    (found, *_) = replayed(planned, results, Ground(repo)).trials
    assert (found.title, found.held) == (FINDS, False)
    assert found.reason == f"{BERTHS} comes at place 9"


def test_a_tool_that_the_schema_still_refutes_is_a_draft(repo: ContextRepo) -> None:
    wrong = msgspec.structs.replace(TOOL, new="in 3 days; state is SENT or DONE in runs")
    planned = tried(repo, session("s1", wrong, kind="TOOL_PROMPT_ERROR"))
    assert held(planned)[AGREES] is False
    right = msgspec.structs.replace(TOOL, new="in 3 days; state is OPEN or PAID in runs")
    assert held(tried(repo, session("s1", right, kind="TOOL_PROMPT_ERROR")))[AGREES] is True


def ruled(new: str) -> SessionResult:
    edit = Edit(PROMPT, "UPDATE", f"on payments.\n{new}", "on payments.")
    result = session("s1", edit, kind="SYSTEM_PROMPT_GAP")
    quote = RepoQuote(POLICY, 6, "Invoices above $25,000 go to procurement.")
    claim = msgspec.structs.replace(result.recommendation, evidence=(quote,))
    return msgspec.structs.replace(result, recommendation=claim)


def test_the_prompt_holds_the_rule_of_its_source(repo: ContextRepo) -> None:
    assert held(tried(repo, ruled("Send invoices above $25,000 to procurement.")))[HOLDS] is True
    assert held(tried(repo, ruled("Send invoices above $30,000 to procurement.")))[HOLDS] is False


def test_the_pull_request_says_what_was_tried_and_what_was_not(repo: ContextRepo) -> None:
    results = (session("s1", THRESHOLD),)
    planned = tried(repo, *results)
    unit = planned.change_set
    body = describe(unit, results, repo, planned.gates, trials=planned.trials).body
    assert f"\n- {GONE}\n" in body
    assert "| the failed answer was drafted again | not run |" in body


def test_a_candidate_is_not_tried(repo: ContextRepo) -> None:
    planned = tried(repo, session("s1", THRESHOLD, confidence=0.2))
    assert planned.trials == ()
    assert SKILL in {file.path for file in planned.change_set.files}
