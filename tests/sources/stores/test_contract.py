"""What every store owes: all sessions, once, whole; the rest told; the key kept to itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from types import ModuleType
from typing import Any

import msgspec
import pytest

from bot.errors import AccessError, SourceError, TryLater
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.http import Http
from bot.sources.live import LiveSource
from bot.sources.opened import opened
from bot.sources.store import Door, Store
from bot.sources.table import STORES
from context_repo_schema.config import BadVote, Source
from tests.sources.fakes import langfuse, langfuse_v3, langsmith, mlflow, opik, phoenix
from tests.sources.fakes.said import PRESENT, Said
from tests.sources.fakes.server import Fault, Query, StoreServer

FAKES: Mapping[str, ModuleType] = {
    "langfuse": langfuse,
    # A name before the @ is the store, what follows an older server of it.
    "langfuse@3": langfuse_v3,
    "langsmith": langsmith,
    "mlflow": mlflow,
    "opik": opik,
    "phoenix": phoenix,
}
SECRET = "a-secret"
VOTES = {"langfuse": "user-feedback", "langsmith": "user_score"}


class Served:
    """A store on loopback, and the source that reads it."""

    def __init__(self, name: str, server: StoreServer) -> None:
        self.name, self.kind, self.server = name, name.partition("@")[0], server
        self.pauses: list[float] = []

    def source(self, timeout: float = 5.0, key: str = SECRET, **asked: Any) -> LiveSource:
        environment = {
            variable: value.replace(SECRET, key)
            for variable, value in FAKES[self.name].ENVIRONMENT.items()
        }
        store: Store = STORES[self.kind]
        door: Door = store.door(environment)
        http = Http(self.server.url, door.headers, timeout=timeout, wait=self.pauses.append)
        source = Source(self.kind, project=door.project)
        return LiveSource(self.name, store, http, msgspec.structs.replace(source, **asked))

    def pull(self, since: timedelta | None = None, **asked: Any) -> list[Trajectory | Skipped]:
        start = None if since is None else PRESENT - since
        return list(self.source(**asked).pull(start))


@pytest.fixture(params=sorted(FAKES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def serving(name: str, said: Sequence[Said]) -> Iterator[Served]:
    with StoreServer(FAKES[name].fake(said), FAKES[name].HEADERS) as server:
        yield Served(name, server)


def good(items: Sequence[Trajectory | Skipped]) -> list[Trajectory]:
    return [item for item in items if isinstance(item, Trajectory)]


def ids(items: Sequence[Trajectory | Skipped]) -> set[str]:
    found = [item.session_id for item in good(items)]
    assert len(found) == len(set(found)), "a session came twice"
    return set(found)


TWO_TURNS = [
    Said(1, "s-1", "How long?", "Ten days.", ago=timedelta(minutes=40), failed=True),
    Said(2, "s-1", "Really?", "Thirty.", ago=timedelta(minutes=30), vote=False),
    Said(3, None, "Hello?", "Hello.", ago=timedelta(minutes=20)),
]


def test_every_store_is_held_to_this() -> None:
    assert {name.partition("@")[0] for name in FAKES} == set(STORES)


def test_an_empty_store_gives_nothing(name: str) -> None:
    with serving(name, []) as store:
        assert store.pull() == []


def test_a_session_comes_whole_with_its_vote(name: str) -> None:
    with serving(name, TWO_TURNS) as store:
        found = {item.session_id: item for item in good(store.pull())}
    session = found.pop("s-1")
    said = ["How long?", "Ten days.", "Really?", "Thirty."]
    assert [turn.content for turn in session.turns] == said
    tools = [node.tool for node in session.nodes if node.tool]
    assert [(tool.name, tool.status, tool.error) for tool in tools] == [
        ("get_order", "error", "boom"),
        ("get_order", "ok", None),
    ]
    assert (tools[1].input, tools[1].output) == ({"id": 2}, "sent")
    (vote,) = session.feedback
    assert (vote.value, vote.turn_id, vote.comment, vote.source) == (False, 4, "why", "human")
    ((lone_id, lone),) = found.items()
    assert [turn.content for turn in lone.turns] == ["Hello?", "Hello."]
    assert lone.metadata["reading"] == {"missing_session_id": 1}
    assert lone_id == lone.metadata["trace_ids"][0]


def test_many_pages_are_read_to_the_end(name: str) -> None:
    said = [Said(n, f"s-{n}", ago=timedelta(minutes=n)) for n in range(1, 46)]
    with serving(name, said) as store:
        assert ids(store.pull()) == {told.session for told in said}


def test_a_long_session_is_read_to_its_end(name: str) -> None:
    said = [
        Said(n, "s-1", f"q{n}", f"a{n}", ago=timedelta(minutes=200 - n), vote=n % 2 == 0)
        for n in range(1, 61)
    ]
    with serving(name, said) as store:
        (session,) = good(store.pull())
    assert len(session.turns) == 120
    assert len(session.feedback) == 60
    assert session.turns[-1].content == "a60"


def test_a_bad_record_is_told_and_costs_nothing_else(name: str) -> None:
    said = [Said(1, "s-1", broken=True), Said(2, "s-2")]
    with serving(name, said) as store:
        items = store.pull()
    assert ids(items) == {"s-1", "s-2"}
    skipped = [item for item in items if isinstance(item, Skipped)]
    assert {item.where.rstrip("123") for item in skipped} == {"s-", "listed record "}
    assert all("left out: " in item.reason and "`" in item.reason for item in skipped)


@pytest.mark.parametrize(
    "fault",
    [Fault(hang=True), Fault(502), Fault(200), Fault(200, body=b'{"data": [', cut=True)],
    ids=["time-out", "bad gateway", "an error page", "cut"],
)
def test_one_failure_is_got_over(name: str, fault: Fault) -> None:
    with serving(name, TWO_TURNS) as store:
        whole = store.pull()
        store.server.faults = [fault]
        assert store.pull(timeout=0.3) == whole
    assert store.pauses == [1.0]


@pytest.mark.parametrize("fault", [Fault(500), Fault(hang=True)], ids=["failing", "time-out"])
def test_a_store_that_never_answers_is_an_error_that_says_where(name: str, fault: Fault) -> None:
    with serving(name, TWO_TURNS) as store:
        store.server.broken_from, store.server.broken = 0, fault
        with pytest.raises(SourceError) as told:
            store.pull(timeout=0.05)
        assert store.server.url in str(told.value)
        assert SECRET not in str(told.value)


def test_a_wrong_key_is_an_access_error_that_does_not_show_it(name: str) -> None:
    with serving(name, TWO_TURNS) as store:
        with pytest.raises(AccessError) as told:
            store.pull(key="the-wrong-one")
        assert len(store.server.asked) == 1
        assert "the-wrong-one" not in str(told.value)


def test_a_key_never_follows_a_redirect(name: str) -> None:
    with serving(name, []) as other, serving(name, TWO_TURNS) as store:
        elsewhere = Fault(302, {"location": f"{other.server.url}/"})
        store.server.broken_from, store.server.broken = 0, elsewhere
        with pytest.raises(SourceError):
            store.pull()
        assert other.server.asked == []


def test_no_request_holds_a_key(name: str) -> None:
    with serving(name, TWO_TURNS) as store:
        store.pull()
        assert store.server.asked
        assert not any(SECRET in path for path in store.server.asked)


def test_a_rate_limit_is_waited_for_as_long_as_it_asks(name: str) -> None:
    with serving(name, TWO_TURNS) as store:
        whole = store.pull()
        store.server.faults = [Fault(429, {"retry-after": "7"}), Fault(429)]
        assert store.pull() == whole
    assert store.pauses == [7.0, 4.0]


def test_a_rate_limit_that_lasts_is_left_for_later(name: str) -> None:
    with serving(name, TWO_TURNS) as store:
        store.server.faults = [Fault(429, {"retry-after": "3600"})]
        with pytest.raises(TryLater):
            store.pull()
    assert store.pauses == []


def test_what_was_complete_counts_and_the_next_run_goes_on(name: str) -> None:
    said = [Said(n, f"s-{n}", ago=timedelta(minutes=n)) for n in range(1, 5)]
    with serving(name, said) as store:
        whole = store.pull()
        requests = len(store.server.asked)
        partial: list[set[str]] = []
        for broken_from in range(1, requests):
            store.server.asked.clear()
            store.server.broken_from = broken_from
            try:
                items = store.pull()
            except SourceError:
                continue
            assert [item for item in good(items) if item not in good(whole)] == []
            assert "next run" in items[-1].reason if isinstance(items[-1], Skipped) else False
            partial.append(ids(items))
        store.server.broken_from = None
        assert ids(store.pull()) == {told.session for told in said}
    assert partial
    assert any(0 < len(found) < len(said) for found in partial)


def test_what_is_deleted_while_it_is_read_is_named_and_costs_nothing_else(name: str) -> None:
    said = [Said(n, f"s-{n}", ago=timedelta(minutes=n)) for n in range(1, 5)]
    kept = FAKES[name].fake([told for told in said if told.session != "s-2"])
    with serving(name, said) as store:
        whole, requests = good(store.pull()), len(store.server.asked)
        all_of_it = store.server.answer
        named = False
        for deleted_at in range(1, requests):
            store.server.asked.clear()

            def answer(path: str, query: Query, body: Any, at: int = deleted_at) -> Any:
                return (all_of_it if len(store.server.asked) <= at else kept)(path, query, body)

            store.server.answer = answer
            items = store.pull()
            others = [item for item in whole if item.session_id != "s-2"]
            assert [item for item in good(items) if item.session_id != "s-2"] == others
            named |= any(isinstance(item, Skipped) and "gone" in item.reason for item in items)
        assert named


def test_only_what_happened_in_the_window_comes(name: str) -> None:
    said = [
        Said(1, "old", ago=timedelta(days=20)),
        Said(2, "new", ago=timedelta(hours=2)),
        Said(3, "in the overlap", ago=timedelta(hours=40)),
        Said(4, "goes on", ago=timedelta(days=5)),
        Said(5, "goes on", "still there?", ago=timedelta(hours=1)),
        Said(6, "voted late", ago=timedelta(days=5), vote=False),
        Said(7, "voted in time", ago=timedelta(days=5), vote=False, voted_ago=timedelta(days=4)),
    ]
    with serving(name, said) as store:
        found = store.pull(timedelta(days=1))
        assert ids(found) == {"new", "in the overlap", "goes on", "voted late"}
        (long,) = [item for item in good(found) if item.session_id == "goes on"]
        assert len(long.turns) == 4
        assert ids(store.pull(timedelta(days=1), overlap_hours=0)) == ids(found) - {
            "in the overlap"
        }


def test_a_session_that_began_long_before_the_window_comes_whole(name: str) -> None:
    said = [Said(1, "s", ago=timedelta(days=60)), Said(2, "s", "still?", ago=timedelta(hours=1))]
    with serving(name, said) as store:
        (session,) = good(store.pull(timedelta(days=1)))
    assert [turn.content for turn in session.turns] == ["q", "a", "still?", "a"]


MIXED = [
    Said(1, "plain"),
    Said(2, "failed", failed=True),
    Said(3, "staged", environment="staging"),
    Said(4, "tagged", tags=("team=blue", "tier=gold")),
    Said(5, "voted down", vote=False),
    Said(6, "voted up", vote=True),
]


@pytest.mark.parametrize(
    ("asked", "sessions"),
    [
        ({"only_errors": True}, {"failed"}),
        ({"environment": "staging"}, {"staged"}),
        ({"tags": ("team=blue",)}, {"tagged"}),
        ({"tags": ("team=blue", "tier=none")}, set()),
        ({"feedback_below": 0.5}, {"voted down"}),
        ({"sample": 0.0}, set()),
        ({"sample": 1.0}, {told.session for told in MIXED}),
    ],
    ids=str,
)
def test_filters_mean_the_same_in_every_store(
    name: str, asked: dict[str, Any], sessions: set[str]
) -> None:
    with serving(name, MIXED) as store:
        assert ids(store.pull(**asked)) == sessions


def test_a_sample_is_the_same_sessions_every_time(name: str) -> None:
    said = [Said(n, f"s-{n}", ago=timedelta(minutes=n)) for n in range(1, 25)]
    with serving(name, said) as store:
        half = ids(store.pull(sample=0.5))
        assert ids(store.pull(sample=0.5)) == half
        assert ids(store.pull(sample=0.25)) < half < ids(store.pull())


def test_a_rule_says_which_vote_is_bad(name: str) -> None:
    vote_name = VOTES.get(name.partition("@")[0], "user_feedback")
    with serving(name, [Said(1, "s", vote=True)]) as store:
        (session,) = good(store.pull(bad_votes={vote_name: BadVote(at_least=0.9)}))
    (vote,) = session.feedback
    assert (vote.type, vote.value, vote.name) == ("thumbs", False, vote_name)


def test_a_store_opens_by_its_configuration(name: str) -> None:
    with serving(name, TWO_TURNS) as store:
        source = opened("mine", Source(store.kind, url=store.server.url), FAKES[name].ENVIRONMENT)
        assert "s-1" in ids(list(source.pull(None)))
