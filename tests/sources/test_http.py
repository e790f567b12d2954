"""The parts of the store client that no single store decides."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import AccessError, SourceError, TryLater
from bot.sources.http import Http, NotThere, cursored, retry_after
from tests.sources.fakes.server import Fault, StoreServer


def echo(path: str, query: Any, body: Any) -> Any:
    return {"path": path, "query": query, "body": body}


def test_parameters_are_encoded_and_none_is_left_out() -> None:
    with StoreServer(echo, {}) as server:
        answer = Http(server.url, {}).get("/x", {"at": "2026-01-01T00:00:00+00:00", "no": None})
        many = Http(server.url, {}).get("/x", [("id", "a b"), ("id", "ü&c")])
        posted = Http(server.url, {}).post("/y", {"a": [1], "no": None})
    assert answer["query"] == {"at": ["2026-01-01T00:00:00+00:00"]}
    assert many["query"] == {"id": ["a b", "ü&c"]}
    assert posted["body"] == {"a": [1]}


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("7", 7.0),
        ("-3", 0.0),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 60.0),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_in_seconds_or_as_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, 40.0) == seconds


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, AccessError), (403, AccessError), (404, NotThere), (410, NotThere), (422, SourceError)],
)
def test_what_no_second_try_would_mend_is_asked_once(status: int, error: type[Exception]) -> None:
    with StoreServer(echo, {}) as server:
        server.broken_from, server.broken = 0, Fault(status, body=b'{"detail": "a customer said"}')
        with pytest.raises(error) as told:
            Http(server.url, {}).get("/x", {"q": "private"})
        assert len(server.asked) == 1
    assert "private" not in str(told.value)
    assert "customer" not in str(told.value)


def test_a_limit_is_waited_for_a_few_times_and_no_more() -> None:
    pauses: list[float] = []
    with StoreServer(echo, {}) as server:
        server.broken_from, server.broken = 0, Fault(503, {"retry-after": "2"})
        with pytest.raises(TryLater):
            Http(server.url, {}, wait=pauses.append).get("/x")
    assert pauses == [2.0, 2.0, 2.0]


def test_an_answer_that_is_no_object_is_an_error() -> None:
    with (
        StoreServer(lambda *_: "hello", {}) as server,
        pytest.raises(SourceError, match="no object"),
    ):
        Http(server.url, {}, wait=lambda _: None).get("/x")


def test_a_listing_that_never_ends_is_ended() -> None:
    with pytest.raises(SourceError, match="same next page"):
        list(cursored(lambda _: ([1], "again")))


def test_an_answer_larger_than_can_be_held_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sources.http.LARGEST_ANSWER", 100)
    with StoreServer(lambda *_: {"a": "x" * 200}, {}) as server, pytest.raises(SourceError):
        Http(server.url, {}, wait=lambda _: None).get("/x")
