"""The loop: sessions in, findings out. One session's failure is isolated; the rest goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

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
    """Every session through segment, detect, attribute and recommend.

    `limit` stops after that many sessions; a session seen twice counts once. Expected failures
    of the outside world (`TraceBotError`) end the run, since the next session would meet them too.
    """
    results: list[SessionResult] = []
    skipped: list[Skipped] = []
    repeated: list[Skipped] = []
    spans: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for item in pulled:
        if limit is not None and len(results) >= limit:
            break
        if isinstance(item, Skipped):
            skipped.append(item)
        elif item.session_id in seen:
            repeated.append(Skipped(item.session_id, "the session was already read in this run"))
        else:
            seen.add(item.session_id)
            answer = isolated("one session", partial(diagnose, item, engine, repo, threshold))
            result = _failed(item, answer) if isinstance(answer, Broken) else answer
            if result.recommendation is not None and result.recommendation.edits:
                spans[item.session_id] = untrusted(item)
            results.append(result)
            progress(len(results))
    return Diagnosed(tuple(results), tuple(skipped), spans, tuple(repeated))


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
    after = engine.usage()
    spent = Usage(
        after.llm_calls - before.llm_calls,
        after.prompt_tokens - before.prompt_tokens,
        after.completion_tokens - before.completion_tokens,
        after.cost_usd - before.cost_usd,
    )
    return msgspec.structs.replace(result, usage=spent)


def _failed(trajectory: Trajectory, broken: Broken) -> SessionResult:
    return SessionResult(trajectory.session_id, trajectory.principal, error=broken.reason)
