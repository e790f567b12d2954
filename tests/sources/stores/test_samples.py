"""What each store really wrote converts to the reading that a person gave it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Feedback, Node, Trajectory
from bot.signals.vote import negative
from bot.sources.opened import opened
from context_repo_schema.config import BadVote, Source

FOLDER = Path(__file__).parents[3] / "fixtures" / "sources" / "stores"
SAMPLES = sorted(path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.json"))


def expected(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.expected.json").read_text("utf-8"))


def read(name: str) -> list[Trajectory]:
    told = expected(name)
    rules = {
        vote: BadVote(at_most=rule["max"])
        for vote, rule in told.get("config", {}).get("negative", {}).items()
    }
    kind = "otlp" if name.startswith("otlp") else name
    source = opened(name, Source(kind, path=str(FOLDER / name), bad_votes=rules), {})
    items = list(source.pull(None))
    assert [item for item in items if isinstance(item, Skipped)] == []
    return [item for item in items if isinstance(item, Trajectory)]


@pytest.mark.parametrize("name", SAMPLES)
def test_sessions_and_turns(name: str) -> None:
    told = {session["id"]: session for session in expected(name)["sessions"]}
    found = {session.session_id: session for session in read(name)}
    assert set(found) == set(told)
    for session_id, session in found.items():
        said = [(turn["user_text"], turn["answer_text"]) for turn in told[session_id]["turns"]]
        texts = [turn.content for turn in session.turns]
        assert list(zip(texts[::2], texts[1::2], strict=True)) == said
        assert [turn.role for turn in session.turns] == ["user", "assistant"] * len(said)


@pytest.mark.parametrize("name", SAMPLES)
def test_nodes(name: str) -> None:
    told = {session["id"]: session for session in expected(name)["sessions"]}
    for session in read(name):
        for number, turn in enumerate(told[session.session_id]["turns"]):
            ours = (2 * number + 1, 2 * number + 2)
            nodes = [n for n in session.nodes if n.turn_id in ours and n.type != "system_prompt"]
            assert [node.type for node in nodes] == [node["type"] for node in turn["nodes"]]
            for node, wanted in zip(nodes, turn["nodes"], strict=True):
                check(node, wanted)


def check(node: Node, wanted: dict[str, Any]) -> None:
    tool = node.tool
    if "text_contains" in wanted:
        assert wanted["text_contains"] in (node.reasoning or "")
    if "status" not in wanted:
        return
    assert tool is not None
    assert tool.status == wanted["status"]
    assert "name" not in wanted or tool.name == wanted["name"]
    assert "path" not in wanted or tool.input == {"path": wanted["path"]}
    assert "query" not in wanted or tool.input == {"query": wanted["query"]}
    assert wanted.get("error_contains", "") in (tool.error or "")
    assert wanted.get("output_contains", "") in json.dumps(tool.output)
    for document, told in zip(
        (tool.output or {}).get("results", []) if "documents" in wanted else [],
        wanted.get("documents", []),
        strict=True,
    ):
        assert {key: document[key] for key in told} == told


@pytest.mark.parametrize("name", SAMPLES)
def test_feedback_and_whether_it_is_bad(name: str) -> None:
    told = {session["id"]: session for session in expected(name)["sessions"]}
    for session in read(name):
        wanted = list(votes(told[session.session_id]))
        found = [(verdict(item, session), item.comment) for item in session.feedback]
        assert sorted(map(str, found)) == sorted(map(str, wanted))


def votes(session: dict[str, Any]) -> Iterator[tuple[bool, str | None]]:
    for vote in [*session["feedback"], *(v for turn in session["turns"] for v in turn["feedback"])]:
        comment = f"expected: {vote['value']}" if vote.get("kind") == "expectation" else None
        yield vote["polarity"] == "negative", comment or vote["comment"]


def verdict(item: Feedback, session: Trajectory) -> bool:
    return negative(item, session)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_vote_stands_at_the_turn_that_it_judges(name: str) -> None:
    told = {session["id"]: session for session in expected(name)["sessions"]}
    for session in read(name):
        turns = told[session.session_id]["turns"]
        at = [2 * n + 2 for n, turn in enumerate(turns) for _ in turn["feedback"]]
        of_session: list[int | None] = [None for _ in told[session.session_id]["feedback"]]
        found = [item.turn_id for item in session.feedback]
        assert sorted(found, key=str) == sorted([*at, *of_session], key=str)
