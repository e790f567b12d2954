"""A case for the team's own evaluation: from the question and the values of the change."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from ruamel.yaml import YAML

from bot.bench.checkout import checkout
from bot.compose import Analysis, Request, analyze
from bot.context.history import read_history
from bot.context.repo import ContextRepo
from bot.records.plan import Limits, Planned
from bot.records.report import SessionResult
from bot.stages.plan import plan
from bot.stages.regression import with_case
from tests.hostile import HOSTILE
from tests.proposals import THRESHOLD, session, write_files

SCENARIO = Path(__file__).parents[2] / "fixtures" / "scenarios" / "vendor-invoice"
LIMITS = Limits(regression_cases=True)


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> ContextRepo:
    return write_files(tmp_path_factory.mktemp("repo"))


def cased(repo: ContextRepo, question: str, limits: Limits = LIMITS) -> Planned:
    results: list[SessionResult] = [replace(session("s1", THRESHOLD), question=question)]
    spans = {"s1": (question,)}
    (unit,) = plan(results, repo, limits, spans)
    return with_case(unit, results, repo, limits, spans)


def test_a_case_holds_the_question_and_the_value_that_came(repo: ContextRepo) -> None:
    made = cased(repo, "Who approves an invoice of $30,000?")
    _, case = sorted(made.change_set.files, key=lambda file: file.path, reverse=True)
    assert case.path == f"evals/trace-bot/{made.change_set.finding_ids[0]}.yaml"
    (test,) = YAML(typ="safe", pure=True).load(case.new_text)
    assert test["vars"] == {"question": "Who approves an invoice of $30,000?"}
    assert test["assert"] == [{"type": "icontains", "value": "$25,000"}]
    assert made.change_set.state == "ready"
    assert {result.outcome for result in made.gates} == {"passed"}


def test_without_leave_or_question_there_is_none(repo: ContextRepo) -> None:
    assert len(cased(repo, "").change_set.files) == 1
    assert len(cased(repo, "Who approves it?", Limits()).change_set.files) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_any_question_is_one_harmless_scalar_or_none(repo: ContextRepo, text: str) -> None:
    for file in cased(repo, text).change_set.files:
        if file.path.startswith("evals/"):
            (test,) = YAML(typ="safe", pure=True).load(file.new_text)
            assert set(test) == {"description", "vars", "assert"}
            assert set(test["vars"]) == {"question"}


def test_a_long_question_is_cut(repo: ContextRepo) -> None:
    case = cased(repo, "I ask " + "whether it is so and " * 20).change_set.files[0]
    assert case.path.startswith("evals/")
    (test,) = YAML(typ="safe", pure=True).load(case.new_text)
    assert 60 < len(test["vars"]["question"]) <= 80


@pytest.mark.parametrize("words", ["I am jane.doe@corp.example", "My key is ghp_" + "a1" * 18])
def test_neither_secrets_nor_people_come_with_it(repo: ContextRepo, words: str) -> None:
    for file in cased(repo, words).change_set.files:
        assert "jane" not in (file.new_text or "")
        assert "a1a1" not in (file.new_text or "")


@pytest.mark.parametrize(("quotes", "files"), [("on", 2), ("off", 1)])
def test_a_run_adds_it_where_the_configuration_asks(
    tmp_path: Path, quotes: str, files: int
) -> None:
    root = tmp_path / "context"
    checkout(SCENARIO / "context", read_history(SCENARIO / "history.jsonl"), root)
    config = tmp_path / "trace-bot.yaml"
    config.write_text(f"regression_cases: true\nevidence:\n  quotes: {quotes}\n")
    request = Request(root, (str(SCENARIO / "sessions.jsonl"),), config=config)
    found: Analysis = analyze(request, {}, lambda done: None)
    first = found.result.proposals[0]
    assert len(first.change_set.files) == files
    assert (first.change_set.files[0].path.startswith("evals/")) is (files == 2)
