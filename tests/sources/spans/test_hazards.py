"""What goes wrong in real traces: nothing here may crash, loop, or lose a readable session."""

from __future__ import annotations

import base64
import gzip
import json
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.canonical import decode
from bot.sources.exports import rows
from bot.sources.otlp import convert
from bot.sources.spans.clean import clean
from bot.sources.spans.otlp import read as read_row
from bot.sources.spans.protobuf import requests
from bot.sources.spans.session import trajectory
from bot.sources.spans.span import NotReadable, Session, Span, Vote
from tests.hostile import HOSTILE
from tests.sources.otlp_rows import framed, identity, lines, protobuf, request, span

FIXTURES = Path(__file__).parents[3] / "fixtures" / "sources" / "malformed"
ROOT = identity("root")
# File: how many sessions, what is told about them, whether a record is left out.
MALFORMED = {
    "blank-and-bom": (2, {}, 0),
    "cut-last-line": (1, {}, 1),
    "duplicate-span": (1, {"duplicate_span": 1}, 0),
    "empty": (0, {}, 0),
    "end-before-start": (1, {"bad_timestamps": 1}, 0),
    "missing-parent": (1, {"orphan_span": 2}, 0),
    "no-session": (2, {"missing_session_id": 1}, 0),
    "not-json": (0, {}, 1),
    "truncated-attribute": (1, {"truncated_attribute": 1}, 0),
    "unknown-kind": (1, {}, 0),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_gives_what_is_readable_and_says_what_is_not(name: str) -> None:
    sessions, told, left_out = MALFORMED[name]
    items = list(convert(str(FIXTURES / f"{name}.jsonl")))
    found = [item for item in items if isinstance(item, Trajectory)]
    assert (len(found), len(items) - len(found)) == (sessions, left_out)
    for session in found:
        assert session.metadata.get("reading", {}) == told
        assert [turn.role for turn in session.turns] == ["user", "assistant"]


def test_a_cut_attribute_keeps_the_text_up_to_the_cut() -> None:
    (session,) = convert(str(FIXTURES / "truncated-attribute.jsonl"))
    assert isinstance(session, Trajectory)
    assert session.turns[0].content == "How do I res"


def agent(question: str = "q", answer: str | None = "a", **more: Any) -> dict[str, Any]:
    told = {"openinference.span.kind": "AGENT", "session.id": "s", "input.value": question}
    return span(
        "root", told | ({"output.value": answer} if answer else {}), **{"lasted": 100, **more}
    )


def tool(name: str, given: Any = None, output: Any = "ok", **more: Any) -> dict[str, Any]:
    told = {"openinference.span.kind": "TOOL", "tool.name": name}
    told |= {"input.value": json.dumps(given)} if given is not None else {}
    told |= {"output.value": output} if output is not None else {}
    return span(name, told, **{"parent": ROOT, "at": 10, **more})


def model(given: list[dict[str, Any]], said: dict[str, Any], **more: Any) -> dict[str, Any]:
    told = {"openinference.span.kind": "LLM"}
    told |= {"input.value": json.dumps({"messages": given})}
    told |= {"output.value": json.dumps({"choices": [{"message": said}]})}
    return span(more.pop("name", "chat"), told, **{"parent": ROOT, "at": 5, **more})


def sessions(*spans: dict[str, Any], rows: list[dict[str, Any]] | None = None) -> list[Trajectory]:
    """What the spans make, by the session they name."""
    items = [item for row in (request(*spans), *(rows or [])) for item in read_row(row)]
    told: dict[str, list[Span]] = {}
    for item in items:
        if isinstance(item, Span):
            told.setdefault(item.trace_id, []).append(clean(item))
    votes = tuple(item for item in items if isinstance(item, Vote))
    whole = tuple(item for spans_ in told.values() for item in spans_)
    found = trajectory(Session("s", whole, votes))
    return [] if isinstance(found, Skipped) else [found]


FAILED_MESSAGE = json.dumps({"type": "tool", "status": "error", "content": "no"})
FAILED_RESULT = json.dumps({"isError": True, "content": [{"type": "text", "text": "no"}]})


def tools(session: Trajectory) -> list[tuple[str, str]]:
    return [(node.tool.name, node.tool.status) for node in session.nodes if node.tool]


def test_a_child_that_starts_before_its_parent_stays_its_child() -> None:
    (session,) = sessions(agent(at=50), tool("get_order", at=0))
    assert [node.type for node in session.nodes] == [
        "user_query_processing",
        "tool_call",
        "response_generation",
    ]


def test_a_circle_of_parents_ends() -> None:
    one = tool("a", parent=identity("b", 11), at=10)
    two = tool("b", parent=identity("a", 10), at=11)
    (session,) = sessions(agent(), one, two)
    assert tools(session) == [("a", "ok"), ("b", "ok")]


def test_a_span_that_is_its_own_parent_is_read() -> None:
    (session,) = sessions({**agent(), "parentSpanId": ROOT})
    assert [turn.content for turn in session.turns] == ["q", "a"]


def test_a_half_exported_span_gives_way_to_the_whole_one() -> None:
    half = {**agent(answer=None), "endTimeUnixNano": "0"}
    for spans in ((half, agent()), (agent(), half)):
        (session,) = sessions(*spans)
        assert [turn.content for turn in session.turns] == ["q", "a"]
        assert session.metadata["reading"] == {"duplicate_span": 1}


def test_two_instrumentations_of_one_call_are_one_step() -> None:
    ids = ("b" * 16, "c" * 16)
    twice = [tool("get_order", {"id": 1}, "sent", span_id=name, at=10) for name in ids]
    (session,) = sessions(agent(), *twice)
    assert tools(session) == [("get_order", "ok")]


def test_a_retry_is_a_step_of_its_own() -> None:
    failed = tool("get_order", {"id": 1}, None, at=10, error="connection reset")
    again = tool("get_order", {"id": 1}, "sent", at=20)
    (session,) = sessions(agent(), failed, again)
    assert tools(session) == [("get_order", "error"), ("get_order", "ok")]
    same = [tool("get_order", {"id": 1}, "sent", at=at) for at in (10, 20, 30)]
    (session,) = sessions(agent(), *same)
    assert tools(session) == [("get_order", "ok")] * 3


@pytest.mark.parametrize(
    ("broken", "status", "error"),
    [
        (tool("t", error="boom"), "error", "boom"),
        (tool("t", error="Timeout after 30 s"), "timeout", "Timeout after 30 s"),
        (
            tool("t", None, None, events={"exception": {"exception.message": "boom"}}, error=" "),
            "error",
            "boom",
        ),
        (
            tool("t", None, json.dumps({"type": "tool", "status": "error", "content": "no"})),
            "error",
            "no",
        ),
        (
            tool(
                "t",
                None,
                json.dumps({"isError": True, "content": [{"type": "text", "text": "no"}]}),
            ),
            "error",
            "no",
        ),
        (tool("t", None, "Error: no such table"), "error", "Error: no such table"),
    ],
)
def test_a_failed_tool_says_how_it_failed(broken: dict[str, Any], status: str, error: str) -> None:
    (session,) = sessions(agent(), broken)
    (node,) = [node for node in session.nodes if node.tool]
    assert node.tool is not None
    assert (node.tool.status, node.tool.error, node.tool.output) == (status, error, None)


def test_a_stack_trace_with_the_hosts_paths_is_left_behind() -> None:
    told = {"exception.message": "boom", "exception.stacktrace": "File /srv/agent/secret.py"}
    (session,) = sessions(agent(), tool("t", None, None, error="x", events={"exception": told}))
    assert "secret.py" not in repr(session)


def test_tools_that_only_the_messages_tell_of_are_steps() -> None:
    call = {"id": "c1", "function": {"name": "kb_search", "arguments": '{"query": "kettle"}'}}
    asked = [{"role": "user", "content": "q"}]
    answered = [
        *asked,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '[{"path": "kb/a.md"}]'},
    ]
    first = model(asked, {"role": "assistant", "content": None, "tool_calls": [call]})
    second = model(answered, {"role": "assistant", "content": "a"}, at=20)
    (session,) = sessions(agent(), first, second)
    (node,) = [node for node in session.nodes if node.tool]
    assert node.type == "kb_search"
    assert node.tool is not None
    assert node.tool.input == {"query": "kettle"}
    assert node.tool.output == {"results": [{"path": "kb/a.md"}]}


def test_a_call_that_was_traced_is_not_told_twice() -> None:
    call = {"id": "c1", "function": {"name": "get_order", "arguments": "{}"}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    (session,) = sessions(
        agent(), model([{"role": "user", "content": "q"}], said), tool("get_order")
    )
    assert tools(session) == [("get_order", "ok")]


def test_a_retriever_below_its_search_tool_is_one_search() -> None:
    outer = tool("kb_search", {"query": "x"}, "as the model saw it", span_id="d" * 16)
    documents = {"retrieval.documents.0.document.metadata": '{"source": "kb/a.md"}'}
    told = {"openinference.span.kind": "RETRIEVER", "input.value": "x"} | documents
    (session,) = sessions(agent(), outer, span("VectorStore", told, parent="d" * 16, at=11))
    (node,) = [node for node in session.nodes if node.tool]
    assert node.tool is not None
    assert node.tool.output == {"results": [{"path": "kb/a.md"}]}


def test_chunks_of_a_streamed_answer_are_one_answer() -> None:
    chunks = [
        ("gen_ai.choice", {"index": 0, "message": json.dumps({"content": part})})
        for part in ("Thir", "ty ", "days.")
    ]
    streamed = span(
        "chat",
        {"gen_ai.operation.name": "chat"},
        parent=ROOT,
        at=5,
        events=[("gen_ai.user.message", {"content": "q"}), *chunks],
    )
    (session,) = sessions(agent(answer=None), streamed)
    assert session.turns[-1].content == "Thirty days."


def test_an_answer_that_was_streamed_past_the_tracer_is_recalled_from_the_next_turn() -> None:
    history = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "the lost answer"},
        {"role": "user", "content": "really?"},
    ]
    later = agent(json.dumps({"messages": history}), "yes", trace="b" * 32, at=500)
    (session,) = sessions(agent(answer=None), later)
    assert [turn.content for turn in session.turns] == ["q", "the lost answer", "really?", "yes"]


def test_what_was_said_before_the_first_trace_comes_first() -> None:
    history = [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "three"},
    ]
    (session,) = sessions(agent(json.dumps({"messages": history}), "four"))
    assert [turn.content for turn in session.turns] == ["one", "two", "three", "four"]
    assert {node.turn_id for node in session.nodes} == {3, 4}


def test_children_in_a_trace_of_their_own_belong_to_the_turn_under_way() -> None:
    lone = tool("get_order", trace="b" * 32, at=20)
    second = agent("q2", "a2", trace="c" * 32, at=500)
    (session,) = sessions(agent(), lone, second)
    assert [(node.turn_id, node.type) for node in session.nodes][1] == (2, "tool_call")
    assert len(session.turns) == 4


def test_a_span_without_its_ids_is_told_after_the_others_are_read() -> None:
    lost = {key: value for key, value in agent().items() if key != "traceId"}
    rows_read = read_row(request(lost, agent()))
    assert isinstance(next(rows_read), Span)
    with pytest.raises(NotReadable, match="traceId"):
        next(rows_read)


def test_images_are_dropped_and_noted() -> None:
    image = "data:image/png;base64," + base64.b64encode(random.Random(1).randbytes(4000)).decode()
    parts = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": image}]
    asked = json.dumps({"messages": [{"role": "user", "content": parts}]})
    (session,) = sessions(
        agent(asked), tool("show", None, json.dumps({"screenshot": image, "ok": 1}))
    )
    assert session.turns[0].content == "What is this?"
    (node,) = [node for node in session.nodes if node.tool]
    assert node.tool is not None
    assert node.tool.output == {"screenshot": "[image/png, about 4002 bytes, left out]", "ok": 1}
    assert session.metadata["reading"] == {"media_left_out": 2}


def test_a_huge_payload_keeps_its_head_and_its_tail() -> None:
    body = "first " + "word " * 400_000 + "last"
    (session,) = sessions(agent(), tool("t", None, body))
    (node,) = [node for node in session.nodes if node.tool]
    assert node.tool is not None
    assert node.tool.output.startswith("first ")
    assert node.tool.output.endswith(" last")
    assert len(node.tool.output) < 300_000
    assert session.metadata["reading"] == {"text_cut": 1}


def test_a_session_stays_within_what_a_reader_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sources.spans.session.LARGEST_SESSION", 10_000)
    many = [tool(f"t{n}", None, "word " * 500, at=n, span_id=f"{n + 1:016x}") for n in range(10)]
    (session,) = sessions(agent(), *many)
    assert len(tools(session)) == 10
    assert len(repr(session)) < 20_000
    assert session.metadata["reading"] == {"output_left_out": 7}


def test_more_spans_than_a_session_can_have_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sources.spans.session.MOST_SPANS", 10)
    (session,) = sessions(agent(), *(tool(f"t{n}", n, at=n) for n in range(12)))
    assert len(tools(session)) == 9
    assert session.metadata["reading"] == {"span_left_out": 3}


@pytest.mark.parametrize("kind", ["AGENT", "CHAIN", "LLM"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_carried_through_and_no_more(kind: str, text: str) -> None:
    told = {"openinference.span.kind": kind, "session.id": text, "input.value": f"q {text}"}
    found = list(read_row(request(span("root", told | {"output.value": "a"}))))
    session = trajectory(Session(text or "s", tuple(s for s in found if isinstance(s, Span))))
    assert isinstance(session, Trajectory)
    assert session.turns[0].content == f"q {text}"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)
KEYS = st.sampled_from(
    [
        *("traceId", "spanId", "parentSpanId", "name", "startTimeUnixNano", "endTimeUnixNano"),
        *("attributes", "events", "status", "droppedAttributesCount", "trace_id"),
    ]
)


@given(st.dictionaries(KEYS, JSON, max_size=8))
def test_any_json_for_a_span_is_read_or_refused(wild: dict[str, Any]) -> None:
    items: list[Span | Vote] = []
    with suppress(NotReadable):
        items.extend(read_row(request({**agent(), **wild})))
    found = trajectory(Session("s", tuple(item for item in items if isinstance(item, Span))))
    assert isinstance(found, Skipped | Trajectory)


@given(
    st.sampled_from(["input.value", "output.value", "llm.input_messages", "gen_ai.input.messages"]),
    JSON,
)
def test_any_value_of_an_attribute_makes_a_canonical_session(name: str, wild: Any) -> None:
    told = {"openinference.span.kind": "AGENT", "input.value": "q", "output.value": "a"}
    spans = [Span("t", "1", "root", None, 1, 2, attributes={**told, name: wild})]
    spans.append(
        Span("t", "2", "x", "1", 1, 2, attributes={"tool.name": "t", "output.value": wild})
    )
    found = trajectory(Session("s", tuple(map(clean, spans))))
    if isinstance(found, Trajectory):
        assert isinstance(decode(msgspec.json.encode(found), "here"), Trajectory)


@given(JSON)
def test_any_row_is_read_or_refused(row: Any) -> None:
    with suppress(NotReadable):
        assert all(isinstance(item, Span | Vote) for item in read_row(row))


@given(st.data())
def test_a_cut_anywhere_never_costs_more_than_the_cut_record(data: st.DataObject) -> None:
    whole = json.dumps(request(agent()))
    cut = data.draw(st.integers(1, len(whole) - 1))

    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        Path(file.name).write_bytes(whole.encode() + b"\n" + whole[:cut].encode())
        found = [row for _, row in rows(file.name)]
    assert not isinstance(found[0], Skipped)
    assert isinstance(found[1], Skipped)


def test_sessions_run_across_traces_files_and_packings(tmp_path: Path) -> None:
    first, second = agent(), agent("q2", "a2", trace="b" * 32, at=500)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines(request(first))))
    (tmp_path / "a.pb").write_bytes(protobuf(request(second)))
    (tmp_path / "c.jsonl").write_bytes(
        lines({"trace_id": "b" * 32, "name": "user_feedback", "label": "bad", "source": "HUMAN"})
    )
    (session,) = convert(str(tmp_path))
    assert isinstance(session, Trajectory)
    assert [turn.content for turn in session.turns] == ["q", "a", "q2", "a2"]
    assert [(vote.value, vote.turn_id) for vote in session.feedback] == [("bad", 4)]


def test_protobuf_reads_as_its_json_does(tmp_path: Path) -> None:
    spans = [
        agent(),
        tool("get_order", {"id": 1, "deep": {"a": [1, 2.5, True, None]}}, "sent"),
        span("x", {"n": -5, "f": 0.25, "b": True, "l": ["a", 1], "d": {"k": "v"}}, parent=ROOT),
        tool("t", at=30, error="boom", events={"exception": {"exception.message": "boom"}}),
    ]
    files = {
        "a.jsonl": lines(request(*spans)),
        "one.pb": protobuf(request(*spans)),
        "framed.pb": framed(*(request(one) for one in spans)),
    }
    found = []
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        found.append(list(convert(str(tmp_path / name))))
    assert isinstance(found[0][0], Trajectory)
    assert found[0] == found[1] == found[2]


@given(st.binary(max_size=200))
def test_any_bytes_are_protobuf_or_refused(data: bytes) -> None:
    with suppress(NotReadable):
        assert all(isinstance(message, dict) for message in requests(data))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"inputs": {"question": "q"}, "tags": [], "metadata": {}}, {"outputs": {"answer": "a"}}),
        (
            {"inputs": {"messages": [{"type": "human", "content": "q"}]}},
            {"outputs": {"messages": [{"type": "ai", "content": "a"}]}},
        ),
        ({"input": {"query": "q"}}, {"output": {"role": "assistant", "content": [{"text": "a"}]}}),
        ({"contents": [{"role": "user", "parts": [{"text": "q"}]}]}, {"result": "a"}),
        (
            {"messages": [[{"id": ["x", "HumanMessage"], "kwargs": {"content": "q"}}]]},
            {"generations": [[{"text": "a", "message": {"kwargs": {"content": "a"}}}]]},
        ),
        (
            [{"role": "user", "content": [{"type": "text", "text": "q"}]}],
            {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
        ),
        (
            {"candidates": "none", "query": "q"},
            {"candidates": [{"content": {"parts": [{"text": "a"}]}}]},
        ),
    ],
)
def test_what_was_said_is_found_in_the_wrappers_of_frameworks(asked: Any, said: Any) -> None:
    (session,) = sessions(agent(json.dumps(asked), json.dumps(said)))
    assert [turn.content for turn in session.turns] == ["q", "a"]


def test_arguments_that_a_framework_wrote_as_python_are_read() -> None:
    given = {"input_str": "{'path': 'skills/a/SKILL.md'}", "tags": ["x"], "metadata": {}}
    (session,) = sessions(agent(), tool("read_skill", given, "text"))
    (node,) = [node for node in session.nodes if node.tool]
    assert node.type == "skill_lookup"
    assert node.tool is not None
    assert node.tool.input == {"path": "skills/a/SKILL.md"}


def test_a_long_chain_of_parents_is_walked_once() -> None:
    ids = [f"{n + 1:016x}" for n in range(3000)]
    chain = [
        span("step", span_id=own, parent=parent, at=n)
        for n, (own, parent) in enumerate(zip(ids, [ROOT, *ids], strict=False))
    ]
    (session,) = sessions(agent(lasted=9000), *reversed(chain))
    assert len(session.turns) == 2
