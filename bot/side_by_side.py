"""Several sessions at once, where an engine waits for a server; results keep their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from bot.ports import Engine, SideBySide
from bot.records.report import SessionResult
from bot.records.trajectory import Trajectory

Judge = Callable[[Trajectory, Engine], SessionResult]
# So many sessions are read ahead for each that may be under way: a slow first one stops nobody.
AHEAD = 2


def in_order(
    sessions: Iterable[Trajectory], engine: Engine, judge: Judge
) -> Iterator[tuple[Trajectory, SessionResult]]:
    """Every session with its result, in the order of the sessions, which are read as they are
    needed and by the caller alone.

    Whatever ends the run, an interrupt or trouble that every session would meet, has the engine
    ask nothing more; sessions that have not begun are left, and those under way come to their end.
    """
    if not isinstance(engine, SideBySide) or engine.together < 2:
        yield from ((session, judge(session, engine)) for session in sessions)
        return
    under_way: deque[tuple[Trajectory, Future[SessionResult]]] = deque()
    pool = ThreadPoolExecutor(engine.together, "session")
    whole = False
    try:
        for session in sessions:
            under_way.append((session, pool.submit(judge, session, engine.apart())))
            if len(under_way) > AHEAD * engine.together:
                yield _first(under_way)
        while under_way:
            yield _first(under_way)
        whole = True
    finally:
        if not whole:
            engine.stop()
        pool.shutdown(cancel_futures=True)


def _first(
    under_way: deque[tuple[Trajectory, Future[SessionResult]]],
) -> tuple[Trajectory, SessionResult]:
    session, result = under_way.popleft()
    return session, result.result()
