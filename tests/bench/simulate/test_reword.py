"""A model's words in a simulated suite: used where they keep what the labels rest on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.bench.simulate.reword import keeps
from bot.bench.simulate.simulate import Request, simulate
from bot.bench.suite import Suite, load
from bot.cli import main
from bot.engines.llm.scripted_server import ScriptedServer, Step
from bot.records.trajectory import Node, ToolCall, Trajectory, Turn

CONTEXT = Path(__file__).parents[3] / "fixtures" / "scenarios" / "vendor-invoice" / "context"
TOLD = Trajectory(
    "s",
    (Turn(1, "user", "Do we have a page on Float Days?"),),
    nodes=(Node("n1", 1, "kb_search", tool=ToolCall("search", {"query": "float days"})),),
)


def speaker(words: Callable[[str], str]) -> Callable[[dict[str, Any]], Step]:
    """Answers with every user turn that the prompt shows, said in other words."""

    def answer(body: dict[str, Any]) -> Step:
        asked = body["messages"][-1]["content"]
        rows = [json.loads(line) for line in re.findall(r"^\{.*\}$", asked, re.M)]
        said = [{"turn_id": r["turn"], "content": words(r["user"])} for r in rows if "user" in r]
        return Step(content=json.dumps({"turns": said}))

    return answer


def users(suite: Suite) -> list[str]:
    return [t.content for s in suite.trajectories for t in s.turns if t.role == "user"]


def asked_for(server: ScriptedServer, out: Path) -> list[str]:
    model = ["--engine", "llm", "--model", "openai/scripted", "--api-base", server.url]
    asked = ["bench", "simulate", "--context", str(CONTEXT), "--count", "6", "-o", str(out)]
    return [*asked, *model]


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_BOT_LLM_HOSTS", "127.0.0.1")


def test_a_model_writes_what_users_say_and_the_suite_still_verifies(tmp_path: Path) -> None:
    with ScriptedServer(speaker(lambda text: f"so, {text} (asking for a friend)")) as server:
        assert main(asked_for(server, tmp_path / "suite")) == 0
    suite = load(tmp_path / "suite")
    said = users(suite)
    assert sum(text.endswith("(asking for a friend)") for text in said) >= 0.8 * len(said)
    assert len(server.seen) == len(suite.trajectories) == 6
    assert "written anew by openai/scripted" in (tmp_path / "suite" / "README.md").read_text(
        "utf-8"
    )


def test_words_that_change_a_value_are_not_used(tmp_path: Path) -> None:
    with ScriptedServer(speaker(lambda text: f"{text} Or is it $123,456?")) as server:
        assert main(asked_for(server, tmp_path / "suite")) == 0
    simulate(Request(CONTEXT, tmp_path / "plain", 1, 6))
    assert users(load(tmp_path / "suite")) == users(load(tmp_path / "plain"))


def test_a_model_that_makes_no_sense_leaves_the_templates(tmp_path: Path) -> None:
    with ScriptedServer(lambda body: Step(content="I would rather not.")) as server:
        assert main(asked_for(server, tmp_path / "suite")) == 0
    simulate(Request(CONTEXT, tmp_path / "plain", 1, 6))
    assert users(load(tmp_path / "suite")) == users(load(tmp_path / "plain"))


def test_a_model_that_refuses_the_key_writes_no_suite(tmp_path: Path, caplog: Any) -> None:
    with ScriptedServer(lambda body: Step(status=401)) as server:
        assert main(asked_for(server, tmp_path / "suite")) == 7
    assert "no suite was written" in caplog.text


@pytest.mark.parametrize(
    ("new", "kept"),
    [
        ("anything on float days, in 2 lines?", False),
        ("anything on Float Days?", True),
        ("anything on days off?", False),
        ("", False),
    ],
)
def test_values_and_searched_terms_are_kept(new: str, kept: bool) -> None:
    assert keeps(TOLD, TOLD.turns[0].content, new) is kept
