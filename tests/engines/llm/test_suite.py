"""Every method over real sessions of a benchmark suite, recorded and replayed without a model."""

import json
from pathlib import Path

import pytest

from bot.bench.run import run_suite
from bot.bench.suite import load
from bot.context.read import read_repo
from bot.engines.llm.client import Client, scripted
from bot.engines.llm.engine import LlmEngine
from bot.engines.llm.messages import Reply
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.shelf import recorded
from bot.engines.offline.engine import OfflineEngine
from bot.run import diagnose_all

SUITE = Path(__file__).parents[3] / "fixtures" / "bench" / "finance"
SESSIONS = 3
STILL = """{"diagnosis": {"existence": {"passed": true, "evidence": ""},
"accessibility": {"passed": true, "evidence": ""}, "correctness": {"passed": true, "evidence": ""},
"consistency": {"passed": true, "evidence": ""}}, "operation": "NO_ACTION", "target_path": null,
"edits": [], "recommended_change": "", "authoritative_source": null, "evidence": [],
"classification": "INCIDENTAL", "confidence": 0.5}"""


def smallest(schema):
    """The smallest value of a schema: the first of the choices, one item of a list."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return None
    kinds = {"string": "x", "number": 0.5, "integer": 1, "boolean": True}
    if schema["type"] == "array":
        return [smallest(schema["items"])]
    if schema["type"] == "object":
        return {name: smallest(inner) for name, inner in schema["properties"].items()}
    return kinds[schema["type"]]


def obedient(request) -> Reply:
    """A model that fills in whatever form it is given."""
    return Reply(json.dumps(smallest(request.schema)) if request.schema else STILL)


@pytest.fixture(scope="module")
def suite():
    found = load(SUITE)
    return found, read_repo(found.context, history=found.history)


@pytest.fixture(scope="module")
def rules():
    return OfflineEngine()


METHODS = [
    {"strategy": "shortlist", "detector": "screened"},
    {"strategy": "shortlist", "recommender": "passive", "detector": "offline"},
    {"strategy": "holistic", "detector": "taxonomy"},
    {"strategy": "holistic", "hints": True, "trace_tokens": 500, "detector": "vanilla"},
    {"strategy": "iterative", "detector": "offline"},
    {"strategy": "continual", "trace_tokens": 500, "detector": "offline"},
    {"strategy": "passive", "detector": "offline"},
    {"strategy": "self-consistency", "samples": 2, "detector": "offline"},
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"{m['strategy']}-{m['detector']}")
def test_every_method_replays_what_it_recorded(suite, rules, method, tmp_path):
    found, repo = suite
    sessions = found.trajectories[:SESSIONS]
    asked = scripted(obedient)
    live = Client(recorded(asked.complete, tmp_path), asked.meter)
    keeping = ModelOptions(model="m", record=tmp_path, **method)
    first = diagnose_all(sessions, LlmEngine(keeping, rules, live), repo)
    options = ModelOptions(model="m", replay=tmp_path, **method)
    again = diagnose_all(sessions, LlmEngine(options, rules), repo)
    assert [result.error for result in first.sessions] == [None] * SESSIONS
    assert again == first
    assert sum(result.usage.llm_calls for result in first.sessions) > 0


def test_a_suite_is_scored_from_recordings(suite, rules, tmp_path):
    found, _ = suite
    engine = LlmEngine(ModelOptions(model="m", replay=tmp_path, detector="offline"), rules)
    rows = run_suite(type(found)(found.name, found.root, found.trajectories[:2], found.labels,
                                 found.history, found.faults), engine)  # fmt: skip
    assert len(rows) == 2
