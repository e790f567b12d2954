"""Only trouble that passes by itself is tried again, and not for ever."""

import pytest

from bot.engines.llm.messages import CallFailed, Reply
from bot.engines.llm.retry import retrying


def after(failures, asking):
    """Waits, tries and outcome of a call that fails so and then answers."""
    waits, left = [], list(failures)

    def inner(request):
        if left:
            raise left.pop(0)
        return Reply("ok")

    outcome = retrying(inner, waits.append, lambda: 0.5)(asking()).text
    return outcome, waits


def test_waits_double_and_the_server_is_obeyed(asking):
    failing = CallFailed("failing", "x")
    assert after([failing] * 3, asking) == ("ok", [1.0, 2.0, 4.0])
    assert after([CallFailed("limited", "x", 7.0)], asking) == ("ok", [7.0])


def test_the_fourth_failure_comes_through(asking):
    with pytest.raises(CallFailed, match="fourth"):
        after([CallFailed("failing", "x")] * 3 + [CallFailed("failing", "fourth")], asking)


@pytest.mark.parametrize("trouble", ["denied", "unknown", "too_long", "refused", "budget"])
def test_other_trouble_comes_through_at_once(asking, trouble):
    waits = []

    def inner(request):
        raise CallFailed(trouble, "no")

    with pytest.raises(CallFailed):
        retrying(inner, waits.append)(asking())
    assert waits == []
