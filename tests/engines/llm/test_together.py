"""A run of the product with several sessions at once, against the scripted server."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.engines.llm.engine import LlmEngine
from bot.engines.llm.scripted_server import ScriptedServer, Step
from bot.engines.scripted import Answer, ScriptedEngine
from bot.records.change import Edit, Recommendation
from bot.run import diagnose_all

SKILL = "skills/pay/SKILL.md"
PICK = Step(content=json.dumps({
    "why": "w", "id": "H2", "node": "n2", "right": "T1", "exact": True, "second": "none",
    "confidence": 0.9}))  # fmt: skip
FINANCE = Path(__file__).parents[3] / "fixtures" / "bench" / "finance"


@pytest.fixture
def many(trajectory):
    return [replace(trajectory, session_id=f"s-{number}") for number in range(12)]


@pytest.fixture
def rules(case, offline):
    edit = Edit(SKILL, "UPDATE", "under $25,000", "under $50,000")
    fix = Recommendation("UPDATE", SKILL, "Lower it.", "SYSTEMIC", 0.9, edits=(edit,))
    answer = Answer(case.detection.signals, offline, fix)
    return ScriptedEngine({f"s-{number}": answer for number in range(12)})


def test_calls_overlap_and_results_keep_their_order(options_for, rules, many, repo):
    met = threading.Barrier(3)

    def script(body):
        met.wait(20)
        return PICK

    with ScriptedServer(script) as server:
        engine = LlmEngine(options_for(server, detector="offline", concurrency=3), rules)
        found = diagnose_all(many, engine, repo)
    assert [result.session_id for result in found.sessions] == [t.session_id for t in many]
    assert [result.usage.llm_calls for result in found.sessions] == [1] * 12
    assert list(found.spans) == [t.session_id for t in many]


def test_no_more_calls_than_allowed_however_many_ask_at_once(options_for, rules, many, repo):
    with ScriptedServer(lambda body: PICK) as server:
        options = options_for(server, detector="offline", concurrency=4, max_llm_calls=5)
        found = diagnose_all(many, LlmEngine(options, rules), repo)
    assert len(server.seen) == 5
    notes = [result.notes for result in found.sessions]
    assert notes.count(()) == 5
    assert notes.count(("max_llm_calls 5 is reached",)) == 7


def test_no_more_dollars_than_allowed_however_many_ask_at_once(options_for, rules, many, repo):
    with ScriptedServer(lambda body: PICK) as server:
        options = options_for(
            server, model="openai/gpt-4o-mini", detector="offline", concurrency=4, max_cost_usd=0.01
        )
        engine = LlmEngine(options, rules)
        found = diagnose_all(many, engine, repo)
    assert 0 < engine.usage().cost_usd <= 0.01
    assert 0 < len(server.seen) < 12
    assert ("the next call could exceed max_cost_usd 0.01",) in [r.notes for r in found.sessions]


def test_time_that_is_up_is_noticed_by_those_who_wait_for_their_turn(
    options_for, rules, many, repo
):
    with ScriptedServer(lambda body: PICK) as server:
        options = options_for(server, detector="offline", concurrency=4, max_runtime_min=0)
        found = diagnose_all(many, LlmEngine(options, rules), repo)
    assert server.seen == []
    assert {result.notes for result in found.sessions} == {("max_runtime_min 0 is reached",)}


def test_an_interrupt_leaves_whole_answers_and_nothing_else(tmp_path):
    """As Ctrl-C does it: the same command again asks only what is still open."""
    inside, release = threading.Semaphore(0), threading.Event()

    def script(body):
        inside.release()
        if len(server.seen) > 2:
            release.wait(30)
        return Step(content=json.dumps({
            "why": "", "id": "H1", "node": "none", "right": "none", "exact": True,
            "second": "none", "confidence": 0.9}))  # fmt: skip

    with ScriptedServer(script) as server:
        command = [
            sys.executable, "-m", "bot.cli", "dry-run", "--context", str(FINANCE / "context"),
            "--trajectories", str(FINANCE / "trajectories.jsonl"), "--limit", "10",
            "--engine", "llm", "--model", "openai/scripted", "--api-base", server.url,
            "--detector", "offline", "--recommender", "passive", "--concurrency", "2",
            "--cache", str(tmp_path / "cache"), "--out", str(tmp_path / "out"),
            "--json", str(tmp_path / "report.json")]  # fmt: skip
        environment = {"TRACE_BOT_LLM_HOSTS": "127.0.0.1", "PATH": "/usr/bin:/bin"}
        # A shell lets what it starts in the background ignore interrupts, and a child inherits it.
        ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
        run = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        signal.signal(signal.SIGINT, ignored)
        for _ in range(4):
            assert inside.acquire(timeout=60)
        run.send_signal(signal.SIGINT)
        release.set()
        said = run.communicate(timeout=60)[1]
        assert run.returncode == 130
        assert "interrupted" in said
        kept = sorted((tmp_path / "cache").iterdir())
        assert [path.suffix for path in kept] == [".json"] * len(kept)
        assert all(msgspec.json.decode(path.read_bytes()) for path in kept)
        assert not (tmp_path / "out").exists()
        assert not (tmp_path / "report.json").exists()
        asked = len(server.seen)
        assert 2 <= len(kept) <= asked <= 4
        subprocess.run(command, env=environment, capture_output=True, check=True, timeout=100)
        answered = len(list((tmp_path / "cache").iterdir()))
        assert len(server.seen) - asked == answered - len(kept) > 0
        assert (tmp_path / "report.json").exists()
