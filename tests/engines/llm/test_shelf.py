"""Cache, record and replay: one file a request, which a person can read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engines.llm.client import client
from bot.engines.llm.messages import CallFailed, Reply, ToolUse, fingerprint
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.scripted_server import ScriptedServer, Step
from bot.engines.llm.shelf import cached, recorded, replayed


def test_a_recording_replays_without_a_server(options_for, asking, tmp_path):
    with ScriptedServer([Step(content="one\ntwo"), Step(calls=(("t", {"a": 1}),))]) as server:
        live = client(options_for(server, record=tmp_path))
        said = [live.complete(asking(text)) for text in ("x ⟦fence⟧", "y")]
    again = client(ModelOptions(model="openai/scripted", replay=tmp_path))
    assert [again.complete(asking(text)) for text in ("x ⟦fence⟧", "y")] == said
    assert again.meter.usage == live.meter.usage


def test_a_request_that_was_not_recorded_is_named(asking, tmp_path):
    with pytest.raises(CallFailed, match=fingerprint(asking())) as failed:
        replayed(tmp_path)(asking())
    assert failed.value.trouble == "unrecorded"


def test_a_cached_answer_costs_nothing(options_for, asking, tmp_path):
    with ScriptedServer([Step(content="once")]) as server:
        first = client(options_for(server, cache=tmp_path))
        first.complete(asking())
        second = client(options_for(server, cache=tmp_path))
        assert second.complete(asking()).text == "once"
    assert len(server.seen) == 1
    assert second.meter.usage.llm_calls == 0


@pytest.mark.parametrize(
    "other",
    [{"model": "other"}, {"temperature": 0.7}, {"max_tokens": 9}, {"sample": 1}, {"schema": {}}],
)
def test_model_and_parameters_are_part_of_the_key(asking, other):
    assert fingerprint(asking()) != fingerprint(asking(**other))
    assert fingerprint(asking()) == fingerprint(asking())


def test_a_page_is_readable(asking, tmp_path):
    recorded(lambda request: Reply("first\nsecond"), tmp_path)(asking("line\nline"))
    (page,) = tmp_path.iterdir()
    kept = json.loads(page.read_text("utf-8"))
    assert page.stem == fingerprint(asking("line\nline"))
    assert kept["reply"]["text"] == ["first", "second"]
    assert kept["request"]["messages"][1]["content"] == ["line", "line"]
    assert page.read_text("utf-8").count("\n") > 10


def test_a_broken_page_is_named(asking, tmp_path):
    (tmp_path / f"{fingerprint(asking())}.json").write_text("{not json")
    with pytest.raises(CallFailed, match="is no recording"):
        replayed(tmp_path)(asking())


@given(st.text(), st.text())
def test_any_answer_comes_back_as_it_was(tmp_path_factory, text, arguments):
    from bot.engines.llm.messages import Message, Request

    folder = tmp_path_factory.mktemp("kept")
    asked = Request(model="m", messages=(Message("user", text),), max_tokens=1)
    reply = Reply(text.encode("utf-8", "replace").decode(), (ToolUse("1", "t", arguments),), True)
    cached(lambda request: reply, folder)(asked)
    assert replayed(folder)(asked) == reply
