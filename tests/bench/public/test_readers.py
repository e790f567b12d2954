"""Index bases, masked labels and exact comparison, on small invented runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.bench.public import agentrx, sets, taubench, whowhen
from bot.bench.public.steps import (
    FLOORS,
    Said,
    accuracy,
    engine_rule,
    expected_random,
    same_speaker,
    scored,
)
from bot.cli import main
from bot.errors import ConfigError
from bot.records.finding import Attribution, Delta, NodeScore

LOG = [
    {"role": "human", "content": "Which bridge is the longest?"},
    {"role": "Orchestrator (thought)", "content": "Plan: look it up."},
    {"role": "Orchestrator (-> WebSurfer)", "content": "Find the list of bridges."},
    {"role": "WebSurfer", "content": "I opened the wrong list."},
    {"role": "Orchestrator (termination condition)", "content": "The old bridge."},
]
CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "# Policy\n\nBe exact."},
    {"role": "user", "content": "Cancel my order."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "function": {"name": "cancel_order", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "cancel_order", "content": "Error: not found"},
    {"role": "assistant", "content": "It is cancelled."},
    {"role": "user", "content": "###STOP###"},
]


def put(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def who_and_when(root: Path) -> Path:
    folder = root / "Hand-Crafted"
    for name, step, agent in (("2", "3", "WebSurfer"), ("10", "1", "Orchestrator")):
        log = {
            "question": "Which bridge is the longest?",
            "ground_truth": "SECRET-ANSWER",
            "mistake_agent": agent,
            "mistake_step": step,
            "mistake_reason": "SECRET-REASON",
            "history": LOG,
        }
        put(folder / f"{name}.json", log)
    return folder


def label(name: Any, failures: list[tuple[int, int]], root: int) -> dict[str, Any]:
    return {
        "trajectory_id": name,
        "failures": [
            {"failure_id": i, "step_number": step, "failed_agent": "assistant"}
            for i, step in failures
        ],
        "root_cause": {"failure_id": root, "reason_for_root_cause": "SECRET-REASON"},
    }


def test_who_and_when_counts_from_0(tmp_path: Path) -> None:
    runs = whowhen.read(who_and_when(tmp_path))
    assert [(run.gold, run.said[run.gold].speaker) for run in runs] == [
        (3, "WebSurfer"),
        (1, "Orchestrator (thought)"),
    ]
    assert all(same_speaker(run.said[run.gold].speaker, run.culprit) for run in runs)


def test_agent_rx_counts_from_1_with_the_system_message(tmp_path: Path) -> None:
    folder = tmp_path / "tau_retail"
    put(folder / "labels.json", [label(7, [(1, 5), (2, 3)], 2)])
    put(folder / "trajectories" / "7.json", {"task_id": 7, "traj": CHAT})
    (run,) = agentrx.read(folder)
    assert run.gold == 2
    assert run.said[run.gold].speaker == "assistant"
    assert run.step_of == {"node_1": 0, "node_2": 1, "node_3": 2, "node_4": 4}


def test_a_plain_log_of_agent_rx_is_shifted_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "magentic_one"
    put(folder / "labels.json", [label("abc", [(1, 4)], 1)])
    put(folder / "trajectories" / "abc.json", LOG)
    (run,) = agentrx.read(folder)
    assert run.said[run.gold].text == "I opened the wrong list."


def test_a_root_cause_that_is_no_failure_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "magentic_one"
    put(folder / "labels.json", [label("abc", [(1, 4)], 9)])
    put(folder / "trajectories" / "abc.json", LOG)
    with pytest.raises(ConfigError, match="run abc has no failure 9"):
        agentrx.read(folder)


def test_labels_and_answers_never_reach_the_trajectory(tmp_path: Path) -> None:
    for run in whowhen.read(who_and_when(tmp_path)):
        shown = msgspec.json.encode(run.trajectory).decode()
        assert "SECRET" not in shown
        assert "mistake" not in shown
        assert "wrong list" in shown


def test_the_reward_of_tau_bench_is_masked(tmp_path: Path) -> None:
    for name, reward in (("failed", 0.0), ("passed", 1.0)):
        put(tmp_path / name / "task1.json", {"reward": reward, "info": {}, "traj": CHAT})
    failed, passed = taubench.read(tmp_path)
    assert (failed.failed, passed.failed) == (True, False)
    assert failed.trajectory.turns == passed.trajectory.turns
    for run in (failed, passed):
        assert run.trajectory.feedback == ()
        assert "STOP" not in msgspec.json.encode(run.trajectory).decode()


def test_detection_is_scored_against_the_reward() -> None:
    judged = tuple(
        taubench.Judged(failed, flagged, proposed)
        for failed, flagged, proposed in (
            (True, True, True),
            (True, False, False),
            (False, True, True),
            (False, False, False),
        )
    )
    scores = taubench.scored("t", judged).scores
    assert scores["engine"] == {
        "precision": 50.0,
        "recall": 50.0,
        "F1": 50.0,
        "proposals on passed runs": 50.0,
    }
    assert scores["all failed"]["recall"] == 100.0


def test_steps_are_compared_exactly(tmp_path: Path) -> None:
    runs = whowhen.read(who_and_when(tmp_path))
    got = accuracy(runs, lambda run: [1, 4, 3])
    assert (got["Acc@1"], got["Acc@3"], got["±1"], got["±3"], got["agent"]) == (
        50.0,
        100.0,
        50.0,
        100.0,
        50.0,
    )
    # Step 10 begins like step 1, and is another one.
    longer = [msgspec.structs.replace(run, said=run.said * 3) for run in runs]
    assert accuracy(longer, lambda run: [10])["Acc@1"] == 0.0


def test_an_abstention_is_wrong(tmp_path: Path) -> None:
    runs = whowhen.read(who_and_when(tmp_path))
    assert set(accuracy(runs, lambda run: ()).values()) == {0.0}


def test_the_engine_is_judged_by_its_scores(tmp_path: Path, scripted: Any) -> None:
    runs = whowhen.read(who_and_when(tmp_path))
    claim = Attribution(
        Delta("", "", ""),
        "step_3",
        (NodeScore("step_1", 0.2), NodeScore("step_3", 0.7), NodeScore("gone", 0.1)),
        "NONE",
        "none",
        None,
        "",
        (),
        (),
        0.5,
    )
    engine = scripted({runs[0].run_id: claim})
    found = scored("w", runs, engine_rule(engine, sets.nothing()), {}, "")
    assert list(engine_rule(engine, sets.nothing())(runs[0])) == [3, 1]
    assert found.scores["engine"]["Acc@1"] == 50.0
    assert found.scores["engine"]["answered"] == 50.0
    assert set(found.scores) == {"engine", "random (expected)", *FLOORS}


def test_chance_is_computed_not_drawn(tmp_path: Path) -> None:
    got = expected_random(whowhen.read(who_and_when(tmp_path)))
    assert got["Acc@1"] == pytest.approx(20.0)
    assert got["Acc@3"] == pytest.approx(60.0)


def test_rules_of_thumb_find_errors_and_writes(tmp_path: Path) -> None:
    put(tmp_path / "labels.json", [label(7, [(1, 3)], 1)])
    put(tmp_path / "trajectories" / "7.json", {"traj": CHAT})
    (run,) = agentrx.read(tmp_path)
    first = {name: next(iter(rule(run))) for name, rule in FLOORS.items()}
    assert first["first write call"] == first["call before a tool error"] == 2
    assert first["first hard error"] == 3
    assert (first["always first"], first["always last"]) == (0, 5)


def test_the_runner_up_speaks_second_most_often(tmp_path: Path) -> None:
    (run,) = whowhen.read(who_and_when(tmp_path))[:1]
    said = tuple(Said(speaker, "") for speaker in ("Ann (to Bo)", "Bo", "Ann", "Bo", "Ann", "Cy"))
    spoken = msgspec.structs.replace(run, said=said)
    assert list(FLOORS["second of the runner-up"](spoken)) == [3, 1]
    assert FLOORS["before the first hard error"](spoken)[0] == 1


def test_a_folder_without_runs_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no JSON file"):
        whowhen.read(tmp_path)
    assert main(["bench", "public"]) == 2
