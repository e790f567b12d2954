"""A terminal tells a run in plain words beside the names of the format."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from bot.context.repo import ContextRepo
from bot.records.finding import Classification, FaultCategory, Operation, RepoQuote
from bot.records.plan import Action, Published
from bot.records.report import RunResult, SessionResult
from bot.reports.cause import LABELS
from bot.reports.terminal import OTHERWISE, REACH, render
from tests.proposals import POLICY, THRESHOLD, proposals, session, write_files


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> ContextRepo:
    return write_files(tmp_path_factory.mktemp("repo"))


def told(repo: ContextRepo, *results: SessionResult) -> str:
    run = RunResult("offline", None, "", "", results, proposals(results, repo))
    return render(run, str)


def quoting(verified: bool, operation: Operation) -> SessionResult:
    one = session("s1", THRESHOLD, verified=verified, operation=operation)
    assert one.recommendation is not None
    quote = RepoQuote(POLICY, 6, "Invoices above $25,000 go to procurement.")
    claim = msgspec.structs.replace(
        one.recommendation, authoritative_source=POLICY, evidence=(quote,)
    )
    return msgspec.structs.replace(one, recommendation=claim)


@pytest.mark.parametrize(
    ("action", "reason", "label"),
    [
        ("would-open", "would open", "would open"),
        ("skipped", "mode: preview", "not opened"),
        ("queued", "max_open_prs is 3", "queued"),
        ("opened", "", "opened"),
    ],
)
def test_it_says_what_becomes_of_a_proposal(
    repo: ContextRepo, action: Action, reason: str, label: str
) -> None:
    results = (session("s1", THRESHOLD),)
    made = proposals(results, repo)
    run = RunResult("offline", None, "", "", results, made)
    unit = Published(made[0].change_set.unit_id, action, "a-branch", reason=reason)
    lines = render(run, str, [unit]).splitlines()
    assert any(line.startswith(f"{label} ─") for line in lines)
    assert (f"· {reason}" in lines) == (action not in ("would-open", "opened"))


def test_every_name_has_its_words() -> None:
    assert {*get_args(Action)} == {"would-open", *OTHERWISE}
    assert set(LABELS) == set(get_args(FaultCategory))
    assert set(REACH) == set(get_args(Classification))


def test_a_fault_and_its_reach_are_told_in_words(repo: ContextRepo) -> None:
    text = told(repo, session("s1", THRESHOLD))
    assert "a skill that is out of date (SKILL_FILE_STALE, certainty 0.90)" in text
    assert "1 session · SYSTEMIC: others will meet it too" in text


@pytest.mark.parametrize(
    ("verified", "operation", "label"),
    [
        (True, "UPDATE", "settled by"),
        (False, "UPDATE", "says otherwise"),
        (False, "CREATE", "held by"),
    ],
)
def test_only_a_proof_settles(
    repo: ContextRepo, verified: bool, operation: Operation, label: str
) -> None:
    text = told(repo, quoting(verified, operation))
    assert f"{label} " in text
    assert ("settled by" in text) == verified


def test_a_session_without_a_cause_says_why(repo: ContextRepo) -> None:
    one = msgspec.structs.replace(
        session("s1"), attribution=None, recommendation=None, notes=("it has no steps",)
    )
    text = told(repo, one)
    assert "nothing is proposed" in text
    assert "it has no steps" in text
