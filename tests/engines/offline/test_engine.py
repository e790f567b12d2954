"""The engine on the shipped scenarios: what it claims stands, and is the same every time."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.context.edit import apply_all
from bot.context.history import read_history
from bot.context.read import read_repo
from bot.context.repo import ContextRepo
from bot.engines.offline.engine import OfflineEngine
from bot.proof.quotes import stands, stands_in_repo
from bot.records.finding import Attribution, Case, Detection, Signal
from bot.records.trajectory import Trajectory, Turn
from bot.stages.attribute import attribute
from bot.stages.recommend import recommend
from bot.stages.segment import segment

SCENARIOS = Path(__file__).parents[3] / "fixtures" / "scenarios"
NAMES = sorted(path.parent.name for path in SCENARIOS.glob("*/sessions.jsonl"))


def engine() -> OfflineEngine:
    return OfflineEngine()


def opened(name: str) -> tuple[ContextRepo, list[Trajectory]]:
    root = SCENARIOS / name
    history = read_history(root / "history.jsonl") if (root / "history.jsonl").exists() else ()
    lines = (root / "sessions.jsonl").read_bytes().splitlines()
    return read_repo(root / "context", history=history), [
        msgspec.json.decode(line, type=Trajectory) for line in lines if line.strip()
    ]


def case(trajectory: Trajectory) -> Case:
    last = [t.turn_id for t in trajectory.turns if t.role == "user"][-1]
    signal = Signal("CORRECTION", "", last, 1.0)
    detection = Detection(is_dsat=True, confidence=1.0, signals=(signal,))
    return Case(trajectory, segment(trajectory), detection)


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_survives_the_checks(name: str) -> None:
    repo, trajectories = opened(name)
    judge = engine()
    for trajectory in trajectories:
        one = case(trajectory)
        claim = judge.attribute(one, repo)
        assert claim is not None
        assert_sound(claim, trajectory, repo)
        checked = attribute(one, judge, repo)
        assert checked is not None
        proposal = recommend(one, checked, judge, repo)
        assert proposal is not None
        assert proposal.operation != "NO_ACTION" or not proposal.edits
        apply_all(proposal.edits, repo.texts)


def assert_sound(claim: Attribution, trajectory: Trajectory, repo: ContextRepo) -> None:
    scores = {s.node_id: s.score for s in claim.scores}
    assert sum(scores.values()) == pytest.approx(1.0, abs=1e-3)
    root = scores.pop(claim.root_cause_node)
    assert all(root > score >= 0 for score in scores.values())
    assert 0 <= claim.margin <= 1
    assert all(stands(trajectory, quote) for quote in claim.evidence)
    ranked = [h.score for h in claim.hypotheses]
    assert ranked == sorted(ranked, reverse=True)
    assert 1 <= len(ranked) <= 12
    for hypothesis in claim.hypotheses:
        assert all(stands(trajectory, quote) for quote in hypothesis.session_quotes)
        assert all(stands_in_repo(repo, quote) for quote in hypothesis.repo_quotes)


def test_two_engines_answer_alike() -> None:
    repo, trajectories = opened("vendor-invoice")
    one = case(trajectories[0])

    assert engine().attribute(one, repo) == engine().attribute(one, repo)


def test_a_session_without_nodes_is_left_alone() -> None:
    repo, _ = opened("vendor-invoice")
    turns = (Turn(1, "user", "hi"), Turn(2, "assistant", "yes"), Turn(3, "user", "wrong"))

    assert engine().attribute(case(Trajectory("s", turns)), repo) is None


def test_an_empty_repository_blames_nobody_by_path(tmp_path: Path) -> None:
    _, trajectories = opened("vendor-invoice")

    claim = engine().attribute(case(trajectories[0]), read_repo(tmp_path))

    assert claim is None or claim.component_path is None


def test_nothing_is_spent() -> None:
    assert engine().usage().llm_calls == 0
