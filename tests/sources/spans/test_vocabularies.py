"""One exchange, told in the words of each convention, is one and the same trajectory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.otlp import convert
from tests.sources.otlp_rows import identity, lines, request, span

QUESTION, ANSWER = "How long may I return a kettle?", "Thirty days."
ARGUMENTS, FOUND = {"query": "return period"}, [{"path": "kb/returns.md", "content": "30 days"}]
THOUGHT, SYSTEM = "The period stands in the returns article.", "You help with orders."
ROOT = identity("root")


def text(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def flat(prefix: str, messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        f"{prefix}.{n}.{key}": value
        for n, held in enumerate(messages)
        for key, value in held.items()
    }


OPENINFERENCE = [
    span(
        "root",
        {"openinference.span.kind": "AGENT", "session.id": "s", "user.id": "u"}
        | {"input.value": QUESTION, "output.value": ANSWER},
        lasted=100,
    ),
    span(
        "kb_search",
        {"openinference.span.kind": "RETRIEVER", "input.value": "return period"}
        | {"retrieval.documents.0.document.content": "30 days"}
        | {"retrieval.documents.0.document.metadata": '{"path": "kb/returns.md"}'},
        parent=ROOT,
        at=10,
    ),
    span(
        "answer",
        {"openinference.span.kind": "LLM", "llm.model_name": "m"}
        | flat(
            "llm.input_messages",
            [
                {"message.role": "system", "message.content": SYSTEM},
                {"message.role": "user", "message.content": QUESTION},
            ],
        )
        | {
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": ANSWER,
            "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
            "llm.output_messages.0.message.contents.0.message_content.text": THOUGHT,
            "llm.output_messages.0.message.contents.1.message_content.type": "text",
            "llm.output_messages.0.message.contents.1.message_content.text": ANSWER,
        },
        parent=ROOT,
        at=20,
    ),
]
GENAI = [
    span(
        "root",
        {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "s", "user.id": "u"}
        | {"gen_ai.input.messages": json.dumps([text("user", QUESTION)])}
        | {"gen_ai.output.messages": json.dumps([text("assistant", ANSWER)])},
        lasted=100,
    ),
    span(
        "retrieval kb",
        {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "return period"}
        | {"gen_ai.tool.name": "kb_search", "gen_ai.retrieval.documents": json.dumps(FOUND)},
        parent=ROOT,
        at=10,
    ),
    span(
        "chat m",
        {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
        | {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": SYSTEM}])}
        | {"gen_ai.input.messages": json.dumps([text("user", QUESTION)])}
        | {
            "gen_ai.output.messages": json.dumps(
                [
                    {
                        "role": "assistant",
                        "parts": [
                            {"type": "reasoning", "content": THOUGHT},
                            {"type": "text", "content": ANSWER},
                        ],
                    }
                ]
            )
        },
        parent=ROOT,
        at=20,
    ),
]
# The names of 1.28 to 1.36: what was said stands in events.
GENAI_EVENTS = [
    span(
        "root",
        {"gen_ai.operation.name": "invoke_agent", "session.id": "s", "user.id": "u"},
        lasted=100,
    ),
    span(
        "execute_tool kb_search",
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "kb_search"}
        | {"gen_ai.tool.call.arguments": json.dumps(ARGUMENTS)}
        | {"gen_ai.tool.call.result": json.dumps(FOUND)},
        parent=ROOT,
        at=10,
    ),
    span(
        "chat m",
        {"gen_ai.system": "x", "gen_ai.operation.name": "chat", "gen_ai.request.model": "m"},
        parent=ROOT,
        at=20,
        events=[
            ("gen_ai.system.message", {"content": SYSTEM}),
            ("gen_ai.user.message", {"content": QUESTION}),
            (
                "gen_ai.choice",
                {
                    "index": 0,
                    "message": json.dumps({"content": ANSWER, "reasoning_content": THOUGHT}),
                },
            ),
        ],
    ),
]
GENAI_DETAILS = [
    *GENAI_EVENTS[:2],
    span(
        "chat m",
        {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
        | {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": SYSTEM}])},
        parent=ROOT,
        at=20,
        events={
            "gen_ai.client.inference.operation.details": {
                "gen_ai.input.messages": [text("user", QUESTION)],
                "gen_ai.output.messages": [
                    {
                        "role": "assistant",
                        "parts": [
                            {"type": "reasoning", "content": THOUGHT},
                            {"type": "text", "content": ANSWER},
                        ],
                    }
                ],
            }
        },
    ),
]
OPENLLMETRY = [
    span(
        "root",
        {"traceloop.span.kind": "workflow", "traceloop.association.properties.session_id": "s"}
        | {"traceloop.entity.input": QUESTION, "traceloop.entity.output": ANSWER}
        | {"traceloop.association.properties.user_id": "u"},
        lasted=100,
    ),
    span(
        "kb_search.tool",
        {"traceloop.span.kind": "tool", "traceloop.entity.name": "kb_search"}
        | {"traceloop.entity.input": json.dumps(ARGUMENTS)}
        | {"traceloop.entity.output": json.dumps(FOUND)},
        parent=ROOT,
        at=10,
    ),
    span(
        "openai.chat",
        {"llm.request.type": "chat", "gen_ai.request.model": "m"}
        | flat(
            "gen_ai.prompt",
            [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}],
        )
        | flat(
            "gen_ai.completion",
            [{"role": "assistant", "content": ANSWER, "reasoning_content": THOUGHT}],
        ),
        parent=ROOT,
        at=20,
    ),
]
MLFLOW = [
    span(
        "root",
        {"mlflow.spanType": '"AGENT"', "session.id": "s", "user.id": "u"}
        | {"mlflow.spanInputs": json.dumps({"messages": [{"role": "user", "content": QUESTION}]})}
        | {"mlflow.spanOutputs": json.dumps(ANSWER)},
        lasted=100,
    ),
    span(
        "kb_search",
        {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanInputs": json.dumps(ARGUMENTS)}
        | {
            "mlflow.spanOutputs": json.dumps(
                [{"page_content": "30 days", "metadata": {"doc_uri": "kb/returns.md"}}]
            )
        },
        parent=ROOT,
        at=10,
    ),
    span(
        "chat",
        {"mlflow.spanType": '"CHAT_MODEL"', "gen_ai.request.model": "m"}
        | {
            "mlflow.spanInputs": json.dumps(
                {
                    "messages": [
                        {"role": "system", "content": SYSTEM},
                        {"role": "user", "content": QUESTION},
                    ]
                }
            )
        }
        | {
            "mlflow.spanOutputs": json.dumps(
                {"choices": [{"message": {"content": ANSWER, "reasoning": THOUGHT}}]}
            )
        },
        parent=ROOT,
        at=20,
    ),
]
CONVENTIONS = {
    "openinference": OPENINFERENCE,
    "genai": GENAI,
    "genai-events": GENAI_EVENTS,
    "genai-details": GENAI_DETAILS,
    "openllmetry": OPENLLMETRY,
    "mlflow": MLFLOW,
    # Each span of one trace comes from another library.
    "mixed": [OPENINFERENCE[0], OPENLLMETRY[1], GENAI[2]],
    "mixed-the-other-way": [GENAI[0], MLFLOW[1], GENAI_EVENTS[2]],
}


def read(folder: Path, *spans: dict[str, Any]) -> Trajectory:
    file = folder / "spans.jsonl"
    file.write_bytes(lines(*(request(one) for one in spans)))
    (session,) = convert(str(file))
    assert not isinstance(session, Skipped)
    return session


@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_convention_tells_the_same(name: str, tmp_path: Path) -> None:
    session = read(tmp_path, *CONVENTIONS[name])
    assert (session.session_id, session.principal) == ("s", "u")
    assert [turn.content for turn in session.turns] == [QUESTION, ANSWER]
    assert [node.type for node in session.nodes] == [
        "user_query_processing",
        "system_prompt",
        "kb_search",
        "reasoning",
        "response_generation",
    ]
    _, prompt, search, reasoning, _ = session.nodes
    assert prompt.output == {"content": SYSTEM}
    assert reasoning.reasoning == THOUGHT
    assert search.tool is not None
    assert (search.tool.name, search.tool.input) == ("kb_search", ARGUMENTS)
    assert search.tool.output == {"results": FOUND}
    assert session.agent is not None
    assert session.agent.model == "m"


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_order_of_the_spans_does_not_matter(name: str, tmp_path: Path) -> None:
    spans = CONVENTIONS[name]
    assert read(tmp_path, *reversed(spans)) == read(tmp_path, *spans)


def test_the_vercel_ai_sdk(tmp_path: Path) -> None:
    asked = {"messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]}
    session = read(
        tmp_path,
        span(
            "root",
            {"ai.operationId": "ai.streamText", "ai.prompt": json.dumps(asked)}
            | {"ai.response.text": ANSWER, "ai.telemetry.metadata.sessionId": "s"},
            lasted=100,
        ),
        span(
            "ai.streamText.doStream",
            {"ai.operationId": "ai.streamText.doStream", "ai.model.id": "m"}
            | {"ai.prompt.messages": json.dumps(asked["messages"]), "ai.response.text": ANSWER},
            parent=ROOT,
            at=20,
            events={"ai.stream.firstChunk": {"ai.response.msToFirstChunk": 5}},
        ),
        span(
            "ai.toolCall",
            {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "kb_search"}
            | {"ai.toolCall.args": json.dumps(ARGUMENTS), "ai.toolCall.result": json.dumps(FOUND)},
            parent=ROOT,
            at=10,
        ),
    )
    assert session.session_id == "s"
    assert [turn.content for turn in session.turns] == [QUESTION, ANSWER]
    (search,) = [node for node in session.nodes if node.tool]
    assert search.type == "kb_search"
    assert search.tool is not None
    assert (search.tool.input, search.tool.output) == (ARGUMENTS, {"results": FOUND})


def test_votes_in_the_spans_themselves(tmp_path: Path) -> None:
    root = span(
        "root",
        {"openinference.span.kind": "AGENT", "input.value": "q", "output.value": "a"}
        | {
            "annotations.0.annotation.name": "user_feedback",
            "annotations.0.annotation.label": "thumbs-down",
            "annotations.0.annotation.annotator_kind": "HUMAN",
        },
        events={
            "gen_ai.evaluation.result": {
                "gen_ai.evaluation.name": "csat",
                "gen_ai.evaluation.score.value": 0.25,
                "gen_ai.evaluation.explanation": "too slow",
            }
        },
    )
    session = read(tmp_path, root)
    found = {(vote.type, vote.value, vote.turn_id, vote.comment) for vote in session.feedback}
    assert found == {("score", 0.25, 2, "too slow"), ("label", "thumbs-down", 2, None)}
