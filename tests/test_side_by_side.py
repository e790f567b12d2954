"""Sessions at once: their order, how many, who reads them, and how a run ends early."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bot.engines.scripted import ScriptedEngine
from bot.errors import AccessError
from bot.records.report import SessionResult
from bot.records.trajectory import Trajectory
from bot.side_by_side import AHEAD, in_order


class Together(ScriptedEngine):
    """So many at once; keeps who was asked apart and whether it was stopped."""

    def __init__(self, together: int) -> None:
        super().__init__({})
        self.together = together
        self.stopped = threading.Event()

    def apart(self) -> ScriptedEngine:
        return ScriptedEngine({})

    def stop(self) -> None:
        self.stopped.set()


def sessions(count: int) -> list[Trajectory]:
    return [Trajectory(f"s-{number}", ()) for number in range(count)]


def result(session: Trajectory) -> SessionResult:
    return SessionResult(session.session_id, None)


def test_a_slow_first_session_stops_nobody_and_still_comes_first() -> None:
    last = threading.Event()

    def judge(session: Trajectory, engine: Any) -> SessionResult:
        if session.session_id == "s-0":
            assert last.wait(10)
        if session.session_id == "s-4":
            last.set()
        return result(session)

    found = list(in_order(sessions(5), Together(2), judge))
    assert [session.session_id for session, _ in found] == [f"s-{n}" for n in range(5)]
    assert [told.session_id for _, told in found] == [f"s-{n}" for n in range(5)]


def test_as_many_at_once_as_the_engine_says_and_no_more() -> None:
    met, lock = threading.Barrier(3), threading.Lock()
    running, most, engines = 0, 0, set()

    def judge(session: Trajectory, engine: Any) -> SessionResult:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
            engines.add(id(engine))
        met.wait(10)
        with lock:
            running -= 1
        return result(session)

    kept: list[Any] = []
    one = Together(3)
    apart = one.apart
    one.apart = lambda: kept.append(apart()) or kept[-1]  # type: ignore[method-assign]
    assert len(list(in_order(sessions(12), one, judge))) == 12
    assert most == 3
    assert engines == {id(engine) for engine in kept}
    assert len(engines) == 12


def test_sessions_are_read_by_the_caller_and_only_so_far_ahead() -> None:
    here, readers, read = threading.get_ident(), set(), []
    go = threading.Event()

    def pulled() -> Iterator[Trajectory]:
        for session in sessions(50):
            readers.add(threading.get_ident())
            read.append(session.session_id)
            if len(read) > AHEAD * 2:
                go.set()
            yield session

    def judge(session: Trajectory, engine: Any) -> SessionResult:
        assert go.wait(10)
        return result(session)

    first = next(in_order(pulled(), Together(2), judge))
    assert first[0].session_id == "s-0"
    assert len(read) == AHEAD * 2 + 1
    assert readers == {here}


@pytest.mark.parametrize("trouble", [AccessError("no key"), KeyboardInterrupt()])
def test_what_ends_the_run_stops_the_engine_and_leaves_what_has_not_begun(
    trouble: BaseException,
) -> None:
    engine, begun, ended = Together(2), [], []

    def judge(session: Trajectory, by: Any) -> SessionResult:
        begun.append(session.session_id)
        if session.session_id == "s-0":
            raise trouble
        assert engine.stopped.wait(10)
        ended.append(session.session_id)
        return result(session)

    with pytest.raises(type(trouble)):
        list(in_order(sessions(40), engine, judge))
    assert 1 <= len(begun) <= 4
    # Those under way came to their end before the run did.
    assert sorted(ended) == sorted(set(begun) - {"s-0"})


def test_a_whole_run_stops_nothing() -> None:
    engine = Together(2)
    list(in_order(sessions(3), engine, lambda session, by: result(session)))
    assert not engine.stopped.is_set()


@pytest.mark.parametrize("engine", [ScriptedEngine({}), Together(1)])
def test_an_engine_that_waits_for_nobody_judges_one_by_one_itself(engine: Any) -> None:
    seen: list[tuple[str, Any, int]] = []

    def judge(session: Trajectory, by: Any) -> SessionResult:
        seen.append((session.session_id, by, threading.get_ident()))
        return result(session)

    for session, _ in in_order(iter(sessions(3)), engine, judge):
        assert seen[-1] == (session.session_id, engine, threading.get_ident())
