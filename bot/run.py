"""The loop: sessions in, findings out. One session's failure is isolated; the rest goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice

import msgspec

from bot.context.repo import ContextRepo
from bot.errors import EditRefused, Rejected
from bot.gates.verbatim import untrusted
from bot.isolate import Broken, isolated
from bot.lifecycle.traffic import asked, files_read, looked_up
from bot.ports import Engine
from bot.records.finding import Case
from bot.records.report import SessionResult, Skipped, Usage
from bot.records.trajectory import Trajectory
from bot.side_by_side import in_order
from bot.stages.attribute import attribute
from bot.stages.detect import THRESHOLD, detect
from bot.stages.recommend import recommend
from bot.stages.segment import segment

Progress = Callable[[int], None]


class Diagnosed(msgspec.Struct, frozen=True):
    """What the sessions gave: a result each, in the order they came, and what was left out.

    `repeated` sessions were read before in this run and are no fault of the source.

    `spans` holds, for sessions that propose an edit, what their users and tools said.
    """

    sessions: tuple[SessionResult, ...]
    skipped: tuple[Skipped, ...]
    spans: dict[str, tuple[str, ...]] = {}
    repeated: tuple[Skipped, ...] = ()


def diagnose_all(
    pulled: Iterable[Trajectory | Skipped],
    engine: Engine,
    repo: ContextRepo,
    *,
    threshold: float = THRESHOLD,
    limit: int | None = None,
    progress: Progress = lambda done: None,
) -> Diagnosed:
    """Every session through segment, detect, attribute and recommend, several at once by an engine
    that waits for a server; results are in the order of the sessions.

    `limit` stops after that many sessions; a session seen twice counts once. Expected failures
    of the outside world (`TraceBotError`) end the run, since the next session would meet them too.
    """
    skipped: list[Skipped] = []
    repeated: list[Skipped] = []
    taken = islice(_sessions(pulled, skipped, repeated), limit)

    def judged(session: Trajectory, by: Engine) -> SessionResult:
        answer = isolated("one session", partial(diagnose, session, by, repo, threshold))
        return _failed(session, answer) if isinstance(answer, Broken) else answer

    results: list[SessionResult] = []
    spans: dict[str, tuple[str, ...]] = {}
    for session, result in in_order(taken, engine, judged):
        if result.recommendation is not None and result.recommendation.edits:
            spans[session.session_id] = untrusted(session)
        results.append(result)
        progress(len(results))
    return Diagnosed(tuple(results), tuple(skipped), spans, tuple(repeated))


def _sessions(
    pulled: Iterable[Trajectory | Skipped], skipped: list[Skipped], repeated: list[Skipped]
) -> Iterator[Trajectory]:
    """Each session once; what is no session, or none anew, goes into the lists."""
    seen: set[str] = set()
    for item in pulled:
        if isinstance(item, Skipped):
            skipped.append(item)
        elif item.session_id in seen:
            repeated.append(Skipped(item.session_id, "the session was already read in this run"))
        else:
            seen.add(item.session_id)
            yield item


def diagnose(
    trajectory: Trajectory, engine: Engine, repo: ContextRepo, threshold: float = THRESHOLD
) -> SessionResult:
    """One session through the stages, in order; each may end the way with nothing to say."""
    before = engine.usage()
    segments = segment(trajectory)
    signals = tuple(s for part in segments for s in engine.signals(trajectory, part))
    detection = detect(trajectory, segments, signals, threshold)
    result = SessionResult(
        trajectory.session_id,
        trajectory.principal,
        segments,
        detection,
        started_at=trajectory.started_at,
        context_commit=trajectory.agent.context_commit if trajectory.agent else None,
        files=files_read(trajectory, repo),
        question=asked(trajectory, segments, detection),
        lookups=looked_up(trajectory),
    )
    if not detection.is_dsat:
        return _spent(result, before, engine)
    case = Case(trajectory, segments, detection)
    notes: tuple[str, ...] = ()
    attribution = recommendation = None
    try:
        attribution = attribute(case, engine, repo)
        if attribution is not None:
            recommendation = recommend(case, attribution, engine, repo)
    except (Rejected, EditRefused) as refusal:
        notes = (str(refusal),)
    result = msgspec.structs.replace(
        result, attribution=attribution, recommendation=recommendation, notes=notes
    )
    return _spent(result, before, engine)


def _spent(result: SessionResult, before: Usage, engine: Engine) -> SessionResult:
    return msgspec.structs.replace(result, usage=engine.usage().less(before))


def _failed(trajectory: Trajectory, broken: Broken) -> SessionResult:
    return SessionResult(trajectory.session_id, trajectory.principal, error=broken.reason)
