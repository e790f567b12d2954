"""A model's new answer from the patched files is compared with the delta, by plain code alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.errors import ModelError, Rejected
from bot.records.finding import Delta
from bot.records.plan import Planned
from bot.records.report import SessionResult
from bot.reports.sections import REDRAFTED
from bot.stages.describe import describe
from bot.stages.plan import plan
from bot.stages.redraft import compared, drafting, redrafted
from tests.proposals import POLICY, SKILL, THRESHOLD, session, write_files

ASKED = "Who approves an invoice of $30,000?"
DELTA = Delta(
    "DELTA: Expected procurement above $25,000 but got $50,000",
    "Invoices above $25,000 go to procurement",
    "Invoices go to procurement above $50,000 only",
)


class Model:
    """Says one thing, or fails, and keeps what it was asked."""

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.seen: list[tuple[str, Mapping[str, str]]] = []

    def draft(self, question: str, texts: Mapping[str, str]) -> str:
        self.seen.append((question, texts))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def repo(tmp_path: Path) -> ContextRepo:
    return write_files(tmp_path)


def asked(name: str = "s1", question: str = ASKED) -> SessionResult:
    made = session(name, THRESHOLD)
    assert made.attribution is not None
    return replace(made, question=question, attribution=replace(made.attribution, delta=DELTA))


def tried(repo: ContextRepo, model: Model, *results: SessionResult) -> Planned:
    (planned,) = plan(results, repo, spans={r.session_id: () for r in results})
    return redrafted(planned, results, repo, model)


def shown(repo: ContextRepo, planned: Planned, *results: SessionResult) -> str:
    unit = planned.change_set
    return describe(unit, results, repo, planned.gates, trials=planned.trials).body


def test_the_model_sees_the_patched_file_and_its_source(repo: ContextRepo) -> None:
    model = Model("Procurement, since it is above 25,000 dollars.")
    planned = tried(repo, model, asked())
    ((question, texts),) = model.seen
    assert question == ASKED
    assert list(texts) == [SKILL, POLICY]
    assert "above $25,000 go" in texts[SKILL]
    assert "$50,000" not in texts[SKILL]
    assert planned.change_set.state == "ready"
    assert f"\n- {REDRAFTED}\n" in shown(repo, planned, asked())


def test_an_answer_that_is_still_wrong_makes_a_draft(repo: ContextRepo) -> None:
    planned = tried(repo, Model("Your manager: procurement starts at $50,000."), asked())
    assert planned.change_set.state == "draft"
    assert f"| {REDRAFTED} | draft: the new answer still says" in shown(repo, planned, asked())


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        ("Procurement, above $25k.", True),
        ("Above $25,000 procurement; the older $50,000 no longer holds.", True),
        ("The limit is $50,000.", False),
        ("The limit is 40,000 dollars.", False),
        ("The files do not say it.", False),
        ("", False),
    ],
)
def test_values_decide(answer: str, held: bool) -> None:
    assert compared(answer, DELTA).held is held


def test_where_there_is_no_value_the_words_may_prove_and_never_refute() -> None:
    delta = Delta("DELTA", "Hand it to the porting desk", "Hand it to the billing team")
    assert compared("The porting desk takes it.", delta).held is True
    assert compared("Ask the billing team.", delta).held is None
    told = Delta("DELTA", "An answer was wanted", "The agent said 5 days")
    assert compared("It takes 5 days.", told).held is False
    assert compared("It takes a week and two days.", told).held is True


@pytest.mark.parametrize("failure", [Rejected("no usable answer"), ModelError("it is down")])
def test_a_model_that_fails_costs_nothing_but_the_check(
    repo: ContextRepo, failure: Exception
) -> None:
    planned = tried(repo, Model(failure), asked())
    assert planned.change_set.state == "ready"
    assert f"| {REDRAFTED} | not run |" in shown(repo, planned, asked())


def test_it_is_asked_once_and_only_where_there_is_something_to_ask(repo: ContextRepo) -> None:
    model = Model("Procurement, above $25,000.")
    tried(repo, model, asked("s2"), asked("s1", "And who approves $26,000?"))
    assert [question for question, _ in model.seen] == ["And who approves $26,000?"]
    tried(repo, model, asked(question=" "))
    weak = replace(asked(), recommendation=replace(asked().recommendation, confidence=0.2))
    tried(repo, model, weak)
    assert len(model.seen) == 1


def test_an_engine_without_a_model_drafts_nothing() -> None:
    assert drafting(object()) is None
    assert drafting(None) is None
    model = Model("")
    assert drafting(model) is model
