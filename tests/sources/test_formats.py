"""Other formats in the canonical form: messages, tau-bench runs, chat logs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.messages import MessagesError, trajectory
from bot.sources.node_types import node_type
from bot.sources.table import FORMATS


def call(name: str, arguments: str = "{}", identity: str = "c1") -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


RUN = {
    "task_id": 3,
    "trial": 0,
    "reward": 0.0,
    "info": {"task": {"user_id": "u-9", "instruction": "SECRET GOAL", "actions": []}},
    "traj": [
        {"role": "system", "content": "# Policy\nBe kind."},
        {"role": "user", "content": "I want to return my kettle."},
        {"role": "assistant", "content": None, "tool_calls": [call("get_order")]},
        {"role": "tool", "tool_call_id": "c1", "name": "get_order", "content": '{"state": "sent"}'},
        {"role": "assistant", "content": "It is on its way."},
        {"role": "user", "content": "It came last week! ###STOP###"},
        {"role": "user", "content": "###STOP###"},
    ],
}


def test_a_run_becomes_turns_and_nodes_in_order() -> None:
    session = trajectory("s", RUN["traj"][:5])
    assert [(t.role, t.content) for t in session.turns] == [
        ("user", "I want to return my kettle."),
        ("assistant", "It is on its way."),
    ]
    assert [(n.type, n.turn_id) for n in session.nodes] == [
        ("system_prompt", 1),
        ("user_query_processing", 1),
        ("tool_call", 2),
        ("response_generation", 2),
    ]
    tool = session.nodes[2].tool
    assert tool is not None
    assert (tool.output, tool.status) == ({"state": "sent"}, "ok")


def test_tau_bench_keeps_the_reward_as_code_and_leaves_the_graders_knowledge(
    tmp_path: Path,
) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps([RUN, {"task_id": 1}]))
    good, bad = FORMATS["tau-bench"](str(file))
    assert isinstance(good, Trajectory)
    assert good.session_id == "run-task3-trial0"
    assert good.turns[-1].content == "It came last week!"
    assert (good.feedback[0].value, good.feedback[0].source) == (0.0, "code")
    assert good.principal == "u-9"
    assert "SECRET GOAL" not in repr(good)
    assert isinstance(bad, Skipped)
    assert "#2" in bad.where


def test_runs_of_one_task_in_two_folders_stay_apart(tmp_path: Path) -> None:
    for folder in ("failed", "passed"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.json").write_text(json.dumps(RUN))
    ids = [t.session_id for t in FORMATS["tau-bench"](str(tmp_path)) if isinstance(t, Trajectory)]
    assert ids == ["failed-a-task3-trial0", "passed-a-task3-trial0"]


CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]
TALK = json.dumps({"messages": CHAT})
# The ending of a file, what stands in it, and how many sessions without an id that is.
NAMELESS: dict[str, tuple[str, str, int]] = {
    "chat": (".jsonl", f"{TALK}\n{TALK}\n", 2),
    "inspect-ai": (".json", json.dumps({"eval": {}, "samples": [{"messages": CHAT}] * 2}), 2),
    "langchain": (".json", TALK, 1),
    "openai-agents": (".jsonl", f"{json.dumps(CHAT)}\n" * 2, 2),
    "openai-chat": (".jsonl", f"{TALK}\n{TALK}\n", 2),
    "swe-agent": (".traj", TALK, 1),
    "tau-bench": (".json", json.dumps([RUN, {**RUN, "task_id": 4}]), 2),
}


@pytest.mark.parametrize("source", NAMELESS)
def test_sessions_without_an_id_get_one_each_that_stays(tmp_path: Path, source: str) -> None:
    ending, text, sessions = NAMELESS[source]
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        for name in ("log.2026-01-01", "log.2026-01-02"):
            (tmp_path / folder / f"{name}{ending}").write_text(text)

    def ids() -> list[str]:
        found = FORMATS[source](str(tmp_path))
        return [item.session_id for item in found if isinstance(item, Trajectory)]

    assert len(ids()) == len(set(ids())) == 4 * sessions
    assert ids() == ids()


@pytest.mark.parametrize("source", ["chat", "langchain"])
def test_several_in_one_line_are_told_apart_from_the_next_line(tmp_path: Path, source: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(f"{json.dumps([{'messages': CHAT}] * 3)}\n{json.dumps({'messages': CHAT})}\n")
    found = [item for item in FORMATS[source](str(file)) if isinstance(item, Trajectory)]
    assert len({item.session_id for item in found}) == 4


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ({"rating": "thumbs_down", "comment": "no"}, [("thumbs", False)]),
        ("thumbs-up", [("thumbs", True)]),
        (True, [("thumbs", True)]),
        (2, [("score", 2)]),
        ({"value": "unclear"}, [("label", "unclear")]),
        ([{"rating": "down"}, {"comment": "slow"}], [("thumbs", False), ("comment", None)]),
        (None, []),
    ],
)
def test_chat_feedback_is_read_in_its_usual_forms(
    tmp_path: Path, feedback: object, expected: list[object]
) -> None:
    chat = {"id": "c", "messages": RUN["traj"][:5], "feedback": feedback}
    file = tmp_path / "chats.jsonl"
    file.write_text(json.dumps(chat) + "\n\n{bad\n" + json.dumps({"id": "x"}) + "\n")
    good, *bad = FORMATS["openai-chat"](str(file))
    assert isinstance(good, Trajectory)
    assert [(f.type, f.value) for f in good.feedback] == expected
    assert [b.where.rpartition(":")[2] for b in bad if isinstance(b, Skipped)] == ["3", "4"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Error: user not found", "error"),
        ("ValueError: bad date", "error"),
        ("Timed out after 30 s", "timeout"),
        ('{"error_rate": 0.1}', "ok"),
        ('{"error": "end must be a date"}', "error"),
        ('{"error": null, "rows": []}', "ok"),
        ('{"isError": true, "content": []}', "error"),
        ("No errors were found", "ok"),
    ],
)
def test_a_failed_tool_is_told_by_how_its_answer_begins(answer: str, status: str) -> None:
    session = trajectory(
        "s",
        [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "", "tool_calls": [call("run")]},
            {"role": "tool", "tool_call_id": "c1", "content": answer},
        ],
    )
    tool = session.nodes[-1].tool
    assert tool is not None
    assert tool.status == status
    assert (tool.error == answer) == (status != "ok")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("search_knowledge_base", "kb_search"),
        ("kb.search", "kb_search"),
        ("semantic_search", "kb_search"),
        ("read_document", "kb_read"),
        ("load_skill", "skill_lookup"),
        ("run_sql", "sql_query"),
        ("think", "reasoning"),
        ("book_reservation", "tool_call"),
        ("search_direct_flight", "tool_call"),
    ],
)
def test_node_types_are_read_from_tool_names(name: str, kind: str) -> None:
    assert node_type(name) == kind


def test_a_conversation_without_a_word_is_refused() -> None:
    with pytest.raises(MessagesError):
        trajectory("s", [{"role": "system", "content": "x"}])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool", "x"])},
    optional={"content": JSON, "tool_calls": st.lists(st.just(call("t")), max_size=2)},
)


@given(st.lists(MESSAGE, max_size=8))
def test_any_messages_are_a_sound_trajectory_or_refused(messages: list[Any]) -> None:
    try:
        session = trajectory("s", messages)
    except MessagesError:
        return
    turns = [turn.turn_id for turn in session.turns]
    assert turns == sorted(set(turns))
    assert all(1 <= node.turn_id <= max(turns) for node in session.nodes)
    assert len({node.node_id for node in session.nodes}) == len(session.nodes)


@pytest.mark.parametrize(
    "calls", ["x", 1, {"a": 1}, ["x"], [None], [{"function": "x"}], [{"function": [1]}]]
)
def test_tool_calls_that_are_none_are_refused(calls: Any) -> None:
    said = {"role": "user", "content": "hi"}
    with pytest.raises(MessagesError, match="tool"):
        trajectory("s", [said, {"role": "assistant", "tool_calls": calls}])


@pytest.mark.parametrize("source", ["openai-chat", "tau-bench"])
def test_a_packed_file_that_is_damaged_is_named(tmp_path: Path, source: str) -> None:
    noise = "".join(f"{n * n}" for n in range(20_000))
    chat = {"messages": [{"role": "user", "content": noise}]}
    whole = gzip.compress(json.dumps(chat).encode())
    for name, data in (("cut.jsonl.gz", whole[:-50]), ("bad.jsonl.gz", b"no gzip at all")):
        (tmp_path / name).write_bytes(data)
        (found,) = FORMATS[source](str(tmp_path / name))
        assert isinstance(found, Skipped)
        assert name in found.where


@pytest.mark.parametrize("info", [[1], "x", {"task": [1]}, {"task": {"user_id": 3}}])
def test_odd_information_of_a_run_is_passed_over(tmp_path: Path, info: Any) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps({**RUN, "info": info}))
    (found,) = FORMATS["tau-bench"](str(file))
    assert isinstance(found, Trajectory)
    assert "user_id" not in found.metadata
