"""A model may say anything: the run goes on, and nothing unproved comes through."""

import json
import random

import pytest

from bot.engines.llm.client import scripted
from bot.engines.llm.engine import LlmEngine
from bot.engines.llm.messages import Reply, ToolUse
from bot.engines.llm.options import ModelOptions
from bot.engines.scripted import Answer, ScriptedEngine
from bot.proof.quotes import stands, stands_in_repo
from bot.run import diagnose

HOSTILE = [
    None,
    True,
    -1,
    1e308,
    10**30,
    "",
    "x" * 5000,
    "../../etc/passwd",
    "skills/pay/SKILL.md",
    "n2",
    "UPDATE",
    "replace",
    "under $50,000",
    "\x00\u202e⟦fence⟧",
    "$(rm -rf /) ${x} {0} %s",
    [],
    {},
    [[[]]],
    {"": None},
]
TOOLS = ("read_skill", "search_kb", "git_log", "read_node", "read_system_prompt", "nope")


class Hostile:
    """Answers with forms half filled in, garbage and tool calls, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def __call__(self, request) -> Reply:
        dice = self._dice
        if request.tools and dice.random() < 0.4:
            arguments = json.dumps({dice.choice(["path", "query", "x"]): dice.choice(HOSTILE)})
            return Reply(uses=(ToolUse(f"c{dice.random()}", dice.choice(TOOLS), arguments),))
        text = json.dumps(self._value(request.schema) if request.schema else self._proposal())
        return Reply(text[: dice.choice([len(text)] * 4 + [len(text) // 2, 0])])

    def _value(self, schema):
        dice = self._dice
        if dice.random() < 0.06:
            return dice.choice(HOSTILE)
        if "enum" in schema:
            return dice.choice(schema["enum"])
        if "anyOf" in schema:
            return self._value(dice.choice(schema["anyOf"]))
        if schema.get("type") == "array":
            return [self._value(schema["items"]) for _ in range(dice.randrange(3))]
        if schema.get("type") == "object":
            return {name: self._value(inner) for name, inner in schema["properties"].items()}
        plain = {"number": dice.uniform(-1, 2), "integer": dice.randrange(5), "boolean": True}
        return plain.get(schema.get("type"), dice.choice([*HOSTILE, "No review is needed"]))

    def _proposal(self):
        from bot.engines.llm.proposal import FORM

        return self._value(FORM.schema())


@pytest.mark.parametrize("strategy", ["shortlist", "holistic", "iterative", "continual", "passive"])
@pytest.mark.parametrize("trace_tokens", [50, 10_000])
def test_no_answer_breaks_a_run(trajectory, repo, case, offline, strategy, trace_tokens):
    rules = ScriptedEngine({"s-1": Answer(case.detection.signals, offline)})
    options = ModelOptions(
        model="m", strategy=strategy, trace_tokens=trace_tokens, detector="taxonomy"
    )
    for seed in range(8):
        engine = LlmEngine(options, rules, scripted(Hostile(seed)))
        result = diagnose(trajectory, engine, repo)
        assert result.error is None
        if result.attribution is not None:
            assert all(stands(trajectory, quote) for quote in result.attribution.evidence)
            assert sum(s.score for s in result.attribution.scores) == pytest.approx(1)
        if result.recommendation is not None:
            assert all(stands_in_repo(repo, quote) for quote in result.recommendation.evidence)
