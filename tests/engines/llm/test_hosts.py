"""Only a server that the operator allows is asked."""

import pytest

from bot.engines.llm.hosts import allowed
from bot.engines.llm.options import hosts
from bot.errors import ConfigError


def test_a_listed_host_is_allowed_and_none_stays_none():
    assert allowed("https://Models.example.org/v1", ("models.example.org",))
    assert allowed("http://127.0.0.1:8080/v1", ("127.0.0.1",))
    assert allowed(None, ()) is None


@pytest.mark.parametrize(
    ("base", "reason"),
    [
        ("https://evil.example/v1", "TRACE_BOT_LLM_HOSTS"),
        ("https://models.example.org.evil.example/v1", "TRACE_BOT_LLM_HOSTS"),
        ("https://models.example.org@evil.example/v1", "name or password"),
        ("http://models.example.org/v1", "only https"),
        ("file:///etc/passwd", "no host"),
        ("models.example.org", "no host"),
        ("https://[bad/v1", "no URL"),
        ("http://127.0.0.1/v1", "TRACE_BOT_LLM_HOSTS"),
    ],
)
def test_anything_else_is_refused(base, reason):
    with pytest.raises(ConfigError, match=reason):
        allowed(base, ("models.example.org",))


def test_the_variable_is_a_list():
    assert hosts({"TRACE_BOT_LLM_HOSTS": " A.example , b.example,"}) == ("a.example", "b.example")
    assert hosts({}) == ()
