"""Opt-in: llama.cpp's own server with a small model, for the plumbing. No quality is measured here.

TRACE_BOT_LLAMA_SERVER=/usr/bin/llama-server TRACE_BOT_LLAMA_MODEL=small.gguf make test-live
"""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from bot.engines.llm.client import client
from bot.engines.llm.detectors import Asked, vanilla
from bot.engines.llm.inquiry import Inquiry
from bot.engines.llm.options import ModelOptions
from bot.engines.llm.strategies.shortlist import shortlist
from bot.errors import Rejected
from bot.records.finding import Segment

pytestmark = pytest.mark.live

STARTED = 120.0
CONTEXT = 8192


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[str]:
    """The address of a server of our own; it ends with the tests."""
    program, model = (os.environ.get(f"TRACE_BOT_LLAMA_{key}") for key in ("SERVER", "MODEL"))
    if not program or not model:
        pytest.skip("TRACE_BOT_LLAMA_SERVER and TRACE_BOT_LLAMA_MODEL name no program and no model")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    chosen = (
        "-m",
        model,
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "-c",
        str(CONTEXT),
        "-np",
        "1",
    )
    log = tmp_path_factory.mktemp("llama") / "server.log"
    with log.open("wb") as out, subprocess.Popen((program, *chosen), stdout=out, stderr=out) as run:
        try:
            _wait(f"http://127.0.0.1:{port}/health", run, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            run.terminate()


def _wait(health: str, run: subprocess.Popen[bytes], log: Path) -> None:
    """Until the model is loaded."""
    end = time.monotonic() + STARTED
    while time.monotonic() < end and run.poll() is None:
        try:
            with urlopen(health, timeout=5):
                return
        except (URLError, ConnectionError):
            time.sleep(0.5)
    pytest.fail(f"the server did not start: {log.read_text('utf-8', 'replace')[-2000:]}")


@pytest.fixture
def options(server) -> ModelOptions:
    return ModelOptions(
        model="openai/local", api_base=server, hosts=("127.0.0.1",), max_tokens=200, timeout=300.0
    )


def test_a_detector_is_answered_in_its_form(options, trajectory):
    made = client(options)
    found = vanilla(Asked(trajectory, Segment("g", (1, 2, 3)), (), made.complete, options))
    assert isinstance(found, tuple)
    assert made.meter.usage.llm_calls >= 1
    assert made.meter.usage.completion_tokens > 0


def test_a_pick_is_one_of_the_ids_or_refused(options, inquire, offline, case, repo):
    made = client(options)
    asked = inquire(None, offline)
    inquiry = Inquiry(case, repo, made.complete, options, asked.index, offline)
    try:
        picked = shortlist(inquiry)
    except Rejected:
        # So small a model may fill its answer with one sentence and never close it.
        assert made.meter.usage.llm_calls == 2
        return
    assert picked is not None
    assert picked.pick.id in {"H1", "H2", "none"}
    assert picked.pick.node in {"n2", "n3", "none"}
