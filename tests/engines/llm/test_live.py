"""Opt-in: a real server, such as llama.cpp's, for the plumbing. No quality is measured here.

TRACE_BOT_LIVE_API_BASE=http://127.0.0.1:8080/v1 TRACE_BOT_LIVE_MODEL=openai/local make test-live
"""

import os

import pytest

from bot.engines.llm.client import client
from bot.engines.llm.detectors import Asked, vanilla
from bot.engines.llm.options import ModelOptions
from bot.records.finding import Segment

pytestmark = pytest.mark.live


@pytest.fixture
def live() -> ModelOptions:
    base, name = (os.environ.get(f"TRACE_BOT_LIVE_{key}") for key in ("API_BASE", "MODEL"))
    if not base or not name:
        pytest.skip("TRACE_BOT_LIVE_API_BASE and TRACE_BOT_LIVE_MODEL name no server")
    return ModelOptions(model=name, api_base=base, hosts=("127.0.0.1",), max_tokens=64)


def test_a_real_server_answers_in_the_form_asked_for(live, trajectory):
    made = client(live)
    found = vanilla(Asked(trajectory, Segment("g", (1, 2, 3)), (), made.complete, live))
    assert isinstance(found, tuple)
    assert made.meter.usage.llm_calls >= 1
    assert made.meter.usage.completion_tokens > 0
