"""The whole pipeline with real litellm: what a server may do, and what becomes of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engines.llm.client import client
from bot.engines.llm.messages import CallFailed, Message, Request, Tool, ToolUse
from bot.engines.llm.meter import Prices
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.provider import prices, provider, require_key
from bot.engines.llm.scripted_server import ScriptedServer, Step
from bot.errors import AccessError, ConfigError

ROOT = Path(__file__).parents[3]
SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string", "enum": ["H1", "none"]}},
    "required": ["id"],
    "additionalProperties": False,
}


def test_an_answer_comes_back_with_its_usage(options_for, asking):
    with ScriptedServer([Step(content='{"id": "H1"}')]) as server:
        made = client(options_for(server))
        reply = made.complete(asking(schema=SCHEMA))
    assert reply.text == '{"id": "H1"}'
    assert made.meter.usage.llm_calls == 1
    assert made.meter.usage.prompt_tokens == reply.prompt_tokens > 0
    sent = server.seen[0]
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (sent["temperature"], sent["max_tokens"]) == (0.0, 64)


def test_tools_and_their_answers_go_both_ways(options_for):
    tool = Tool("search_kb", "Search.", {"type": "object", "properties": {}})
    with ScriptedServer([Step(calls=(("search_kb", {"query": "x"}),)), Step(content="ok")]) as s:
        made = client(options_for(s))
        first = Request(
            model="openai/scripted", messages=(Message("user", "q"),), max_tokens=64, tools=(tool,)
        )
        reply = made.complete(first)
        assert [(use.name, use.arguments) for use in reply.uses] == [
            ("search_kb", '{"query": "x"}')
        ]
        told = (
            Message("user", "q"),
            Message("assistant", uses=reply.uses),
            Message("tool", "found", answers=reply.uses[0].id),
        )
        made.complete(Request(model="openai/scripted", messages=told, max_tokens=64, tools=(tool,)))
    assert s.seen[0]["tools"][0]["function"]["name"] == "search_kb"
    assistant, answer = s.seen[1]["messages"][1:]
    assert assistant["tool_calls"][0]["id"] == answer["tool_call_id"] == reply.uses[0].id


def test_a_rate_limit_is_waited_for_as_the_server_asks(options_for, asking):
    steps = [Step(status=429, headers={"Retry-After": "0.05"}), Step(content="ok")]
    with ScriptedServer(steps) as server:
        made = client(options_for(server))
        assert made.complete(asking()).text == "ok"
    assert len(server.seen) == 2
    assert made.meter.usage.llm_calls == 1


def test_a_rate_limit_of_hours_is_not_waited_for(options_for, asking):
    with (
        ScriptedServer([Step(status=429, headers={"Retry-After": "3600"})]) as server,
        pytest.raises(CallFailed) as failed,
    ):
        client(options_for(server)).complete(asking())
    assert (failed.value.trouble, failed.value.wait) == ("limited", 3600.0)
    assert len(server.seen) == 1


def test_a_server_error_is_tried_again(options_for, asking):
    with ScriptedServer([Step(status=500), Step(content="ok")]) as server:
        assert client(options_for(server)).complete(asking()).text == "ok"
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("step", "trouble"),
    [
        (Step(status=401, message="Incorrect API key provided: sk-123"), "denied"),
        (Step(status=403), "denied"),
        (Step(status=404), "unknown"),
        (Step(status=400), "refused"),
        (
            Step(status=400, message="This model's maximum context length is 8192 tokens"),
            "too_long",
        ),
        (Step(content="", finish="content_filter"), "refused"),
    ],
)
def test_what_will_not_change_is_asked_once(options_for, asking, step, trouble):
    with (
        ScriptedServer([step, Step(content="too late")]) as server,
        pytest.raises(CallFailed) as failed,
    ):
        client(options_for(server)).complete(asking())
    assert failed.value.trouble == trouble
    assert len(server.seen) == 1
    assert "sk-123" not in str(failed.value)


def test_a_server_without_schemas_is_asked_without_one_from_then_on(options_for, asking):
    refusal = Step(status=400, message="response_format json_schema is not supported")
    with ScriptedServer([refusal, Step(content="a"), Step(content="b")]) as server:
        made = client(options_for(server))
        assert [made.complete(asking(t, schema=SCHEMA)).text for t in "xy"] == ["a", "b"]
    assert ["response_format" in body for body in server.seen] == [True, False, False]


@pytest.mark.parametrize("step", [Step(raw=b"<html>gateway</html>"), Step(content="x", delay=1.0)])
def test_garbage_and_slowness_pass_by_themselves(options_for, asking, step):
    with ScriptedServer([step]) as server:
        options_for(server)
        once = provider(server.url, lambda: 0.3, Prices())
        with pytest.raises(CallFailed) as failed:
            once(asking())
    assert failed.value.trouble == "failing"


def test_half_an_answer_says_that_it_was_cut(options_for, asking):
    with ScriptedServer([Step(content='{"id": "H', finish="length")]) as server:
        assert client(options_for(server)).complete(asking()).cut


def test_marks_are_fresh_for_every_call_and_leave_no_trace(options_for, asking):
    with ScriptedServer(lambda body: Step(content=body["messages"][1]["content"])) as server:
        made = client(options_for(server))
        texts = [made.complete(asking("a ⟦fence⟧ b")).text for _ in range(2)]
    sent = [body["messages"][1]["content"] for body in server.seen]
    assert texts == ["a ⟦fence⟧ b"] * 2
    assert sent[0] != sent[1]
    assert all("⟦" not in text for text in sent)


def test_an_answer_that_recites_its_instructions_is_thrown_away(options_for, asking):
    with (
        ScriptedServer(lambda body: Step(content=body["messages"][1]["content"])) as server,
        pytest.raises(CallFailed, match="recited"),
    ):
        client(options_for(server)).complete(asking("the word ⟦canary⟧"))


def test_the_price_table_is_the_one_that_came_with_the_package(options_for):
    known = prices("openai/gpt-4o-mini")
    assert 0 < known.prompt < known.completion
    assert prices("openai/never-heard-of") == Prices()


def test_a_missing_key_is_named_before_any_call(options_for):
    with pytest.raises(AccessError, match="OPENAI_API_KEY"):
        require_key("openai/gpt-4o-mini", None)
    with pytest.raises(AccessError, match="ANTHROPIC_API_KEY"):
        client(ModelOptions(model="anthropic/claude-sonnet-4-5"))


def test_a_model_must_be_named():
    with pytest.raises(ConfigError, match="--model"):
        client(ModelOptions())


def test_importing_the_engine_imports_no_provider():
    code = (
        "import sys, pkgutil, importlib, bot.engines.llm as root\n"
        "for module in pkgutil.walk_packages(root.__path__, root.__name__ + '.'):\n"
        "    importlib.import_module(module.name)\n"
        "import bot.engines.table\n"
        "assert not {'litellm', 'openai', 'httpx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_provider_asks_no_network_and_reads_no_env_file(options_for, tmp_path):
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://evil.example/v1\n")
    code = (
        "import os, socket\n"
        "def refuse(*a, **k): raise SystemExit('the network was asked')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from bot.engines.llm.provider import imported, prices\n"
        "imported(); prices('openai/gpt-4o-mini')\n"
        "assert 'evil' not in os.environ.get('OPENAI_BASE_URL', '')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_tool_call_survives_the_seal():
    from bot.engines.llm.fence import sealed
    from bot.engines.llm.messages import Reply

    inner = sealed(lambda request: Reply(uses=(ToolUse("1", "t", "{}"),)))
    asked = Request(model="m", messages=(Message("user", "x"),), max_tokens=1)
    assert inner(asked).uses == (ToolUse("1", "t", "{}"),)


def test_no_level_of_logging_tells_what_was_asked(options_for, asking, caplog):
    caplog.set_level("DEBUG")
    with ScriptedServer([Step(status=500), Step(content="the answer 4711")]) as server:
        client(options_for(server)).complete(asking("the question 4711"))
    assert "4711" not in caplog.text


def test_a_model_without_a_known_price_is_told(options_for, monkeypatch, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    client(ModelOptions(model="openai/never-heard-of"))
    assert "no price is known of openai/never-heard-of" in caplog.text
