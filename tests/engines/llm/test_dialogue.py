"""One repair turn, tools up to a cap, and a claim or a refusal at the end."""

import msgspec
import pytest

from bot.engines.llm.dialogue import Dialogue, Style
from bot.engines.llm.form import Form
from bot.engines.llm.messages import CallFailed, Reply, ToolUse
from bot.engines.llm.toolbox import Ability, Toolbox
from bot.errors import Rejected

STYLE = Style("m", 100)


class Answer(msgspec.Struct, frozen=True):
    id: str


FORM = Form(Answer, {"id": ("H1", "H2")})


def use(name="look", arguments='{"at": "x"}', id="c1") -> Reply:
    return Reply(uses=(ToolUse(id, name, arguments),))


def box(most=2) -> Toolbox:
    return Toolbox({"look": Ability("Look.", "at", "where", lambda at: {"seen": at})}, most)


def ask(answers, conclude=lambda a: a.id, toolbox=None):
    return Dialogue(answers, STYLE, "rules", toolbox).ask("question", FORM, conclude)


def test_a_good_answer_is_concluded_from_at_once(model):
    said = model({"id": "H1"})
    assert ask(said) == "H1"
    assert [m.role for m in said.seen[0].messages] == ["system", "user"]
    assert said.seen[0].schema["properties"]["id"]["enum"] == ["H1", "H2"]


def test_a_malformed_answer_is_told_why_once(model):
    said = model("I think H1", {"id": "H2"})
    assert ask(said) == "H2"
    assert "there was no JSON object" in said.last()


def test_a_refused_claim_is_told_why_once(model):
    def conclude(answer):
        if answer.id == "H1":
            raise Rejected("no quote stands in the session")
        return answer.id

    said = model({"id": "H1"}, {"id": "H2"})
    assert ask(said, conclude) == "H2"
    assert "no quote stands in the session" in said.last()


def test_the_second_bad_answer_ends_it(model):
    said = model("no", "still no", {"id": "H1"})
    with pytest.raises(Rejected, match="not usable"):
        ask(said)
    assert said.unused == 1


def test_tools_are_answered_and_logged(model):
    said, tools = model(use(), {"id": "H1"}), box()
    assert ask(said, toolbox=tools) == "H1"
    assert said.seen[0].tools == tools.tools
    assert said.seen[0].schema is None
    assert '{"seen": "x"}' in said.last()
    assert said.seen[1].messages[-1].answers == "c1"
    assert [(look.tool, look.input) for look in tools.log] == [("look", {"at": "x"})]


def test_after_the_cap_an_answer_is_asked_for_without_tools(model):
    said = model(use(), use(), {"id": "H1"})
    assert ask(said, toolbox=box(2)) == "H1"
    assert [request.final for request in said.seen] == [False, False, True]


def test_a_model_that_calls_on_is_stopped(model):
    said = model(*[use("unknown")] * 9)
    with pytest.raises(CallFailed, match="past its limit"):
        ask(said, toolbox=box(2))
    assert len(said.seen) == 3


def test_calls_in_one_answer_beyond_the_cap_find_nothing(model):
    many = Reply(uses=tuple(ToolUse(f"c{n}", "look", '{"at": "x"}') for n in range(4)))
    said, tools = model(many, {"id": "H1"}), box(2)
    assert ask(said, toolbox=tools) == "H1"
    assert len(tools.log) == 2
    assert "No more calls are left" in said.last()


@pytest.mark.parametrize("arguments", ["", "not json", "[]", '{"other": 1}', '{"at": {"b": 1}}'])
def test_unusable_arguments_do_not_break_a_tool(model, arguments):
    assert ask(model(use(arguments=arguments), {"id": "H1"}), toolbox=box()) == "H1"


def test_an_unknown_tool_is_answered_with_the_names(model):
    said = model(use("rm"), {"id": "H1"})
    ask(said, toolbox=box())
    assert "There is no such tool. Tools: look." in said.last()
