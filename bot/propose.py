"""From what the sessions gave to pull requests: plan, replay, and describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from bot.context.repo import ContextRepo
from bot.isolate import Broken, isolated
from bot.lifecycle.parts import with_parts
from bot.ports import Engine
from bot.records.plan import Planned, RunInfo
from bot.records.report import Proposal, SessionResult, Usage
from bot.run import Diagnosed
from bot.settings import Settings
from bot.stages.describe import describe
from bot.stages.plan import plan
from bot.stages.redraft import Drafter, drafting, redrafted, witness
from bot.stages.regression import with_case
from bot.stages.replay import replayed
from bot.stages.retrieval import Ground


class Proposed(msgspec.Struct, frozen=True):
    """Every change set with its pull request, by rank, and all sessions of the run: those whose
    proposal broke say so as their error."""

    proposals: tuple[Proposal, ...]
    sessions: tuple[SessionResult, ...]


class Desk(msgspec.Struct, frozen=True):
    """What every proposal of one run is made from."""

    found: Diagnosed
    repo: ContextRepo
    settings: Settings
    info: RunInfo
    ground: Ground


def propose(
    found: Diagnosed,
    repo: ContextRepo,
    settings: Settings,
    info: RunInfo,
    engine: Engine | None = None,
) -> Proposed:
    """What the run proposes; what breaks in one unit leaves the others as they are. An engine that
    can draft answers is asked to, once for each change set, and what that took is its session's."""
    desk = Desk(found, repo, settings, info, Ground(repo))
    planned, broken = _planned(desk)
    proposals: list[Proposal] = []
    took: dict[str, Usage] = {}
    for unit in planned:
        before = engine.usage() if engine else Usage()
        answer = isolated("a proposal", partial(_whole, unit, desk, drafting(engine)))
        if engine and (one := witness(unit, found.sessions)):
            took[one.session_id] = engine.usage().less(before)
        if isinstance(answer, Broken):
            broken |= dict.fromkeys(unit.change_set.sessions, answer)
        else:
            proposals.append(answer)
    return Proposed(tuple(proposals), _told(found.sessions, broken, took))


def _planned(desk: Desk) -> tuple[tuple[Planned, ...], dict[str, Broken]]:
    """The change sets by rank, and by session what broke. Sessions are planned together, and only
    where that breaks, those that share files by themselves."""
    sessions = desk.found.sessions
    whole = isolated("planning", partial(_plan, sessions, desk))
    if not isinstance(whole, Broken):
        return whole, {}
    planned: list[Planned] = []
    broken: dict[str, Broken] = {}
    for group in _sharing_files(sessions):
        answer = isolated("planning a unit", partial(_plan, group, desk))
        if isinstance(answer, Broken):
            broken |= dict.fromkeys((result.session_id for result in group), answer)
        else:
            planned += answer
    # Within a group they stand by rank; of all, what is only a candidate goes last.
    return tuple(sorted(planned, key=lambda p: p.change_set.state == "candidate")), broken


def _plan(sessions: Sequence[SessionResult], desk: Desk) -> tuple[Planned, ...]:
    return plan(sessions, desk.repo, desk.settings.limits, desk.found.spans)


def _sharing_files(sessions: Sequence[SessionResult]) -> list[list[SessionResult]]:
    """The sessions that ask for edits, together where their files are the same."""
    groups: list[tuple[set[str], list[SessionResult]]] = []
    for result in sessions:
        claim = result.recommendation
        paths = {edit.path for edit in claim.edits} if claim else set()
        if not paths:
            continue
        near = [group for group in groups if group[0] & paths]
        groups = [group for group in groups if group not in near]
        own = [one for _, members in near for one in members]
        groups.append((paths.union(*(held for held, _ in near)), [*own, result]))
    return [members for _, members in groups]


def _whole(unit: Planned, desk: Desk, drafter: Drafter | None) -> Proposal:
    """The unit's proposal; one of several findings also has each of them by itself, for what
    people decide between analysis and publishing, which no model is asked about."""
    sessions = desk.found.sessions

    def described(own: Sequence[SessionResult]) -> tuple[Proposal, ...]:
        return tuple(_described(part, own, desk) for part in _plan(own, desk))

    return with_parts(_described(unit, sessions, desk, drafter), sessions, described)


def _described(
    unit: Planned, sessions: Sequence[SessionResult], desk: Desk, drafter: Drafter | None = None
) -> Proposal:
    tried = replayed(unit, sessions, desk.ground)
    if drafter is not None:
        tried = redrafted(tried, sessions, desk.repo, drafter)
    tried = _cased(tried, desk)
    change_set = tried.change_set
    pull = describe(change_set, sessions, desk.repo, tried.gates, desk.info, tried.trials)
    return Proposal(change_set, pull)


def _cased(unit: Planned, desk: Desk) -> Planned:
    """With a regression case: it holds a user's question, so that it goes where quotes may go."""
    limits, found = desk.settings.limits, desk.found
    if not (limits.regression_cases and desk.info.quotes):
        return unit
    return with_case(unit, found.sessions, desk.repo, limits, found.spans)


def _told(
    sessions: Sequence[SessionResult], broken: Mapping[str, Broken], took: Mapping[str, Usage]
) -> tuple[SessionResult, ...]:
    def told(result: SessionResult) -> SessionResult:
        name = result.session_id
        error = f"its proposal broke: {broken[name].reason}" if name in broken else result.error
        return replace(result, error=error, usage=result.usage.more(took.get(name, Usage())))

    return tuple(map(told, sessions))
