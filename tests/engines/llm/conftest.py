"""Real litellm against a scripted server on loopback; nothing here can reach a network."""

import pytest

from bot.engines.llm.messages import Message, Request
from bot.engines.llm.options import ModelOptions


@pytest.fixture(autouse=True)
def _no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forgotten api_base meets a closed port, and no key of the developer's."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")


@pytest.fixture
def options_for():
    """Options for a scripted server, with anything else by name; needs the `llm` extra."""
    pytest.importorskip("litellm", reason="pip install -r requirements/llm.txt to run this")

    def make(server, **more) -> ModelOptions:
        chosen = {"model": "openai/scripted", "hosts": ("127.0.0.1",), "timeout": 20.0, **more}
        return ModelOptions(api_base=server.url, **chosen)

    return make


@pytest.fixture
def asking():
    """A request of two messages, with anything else by name."""

    def make(text: str = "hello", **more) -> Request:
        chosen = {"model": "openai/scripted", "max_tokens": 64, **more}
        return Request(messages=(Message("system", "rules"), Message("user", text)), **chosen)

    return make
