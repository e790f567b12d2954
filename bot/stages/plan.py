"""Plan: which recommendations become proposals, merged by file, each with its state."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from bot.context.diff import file_change, patch_digest
from bot.context.repo import ContextRepo
from bot.gates.inputs import Inputs, added
from bot.gates.table import check
from bot.identity.ids import evidence_digest, unit_id
from bot.identity.names import counted
from bot.records.change import LEAST_CONFIDENCE, READY_CONFIDENCE, ChangeSet, State
from bot.records.plan import GateResult, Limits, Planned
from bot.records.report import SessionResult
from bot.stages.claims import Claim, Composition, claims, compose, fits, gravest, units
from bot.stages.reviewers import reviewers

DEFAULTS = Limits()
# What these stop must not be shown either.
CENSORED = frozenset({"G5", "G6", "G12"})
STOPS = frozenset({"blocked", "dropped"})
DOUBTS = frozenset({"draft", "not run"})
SEVERITY = {"SYSTEM_PROMPT_GAP": 3, "TOOL_PROMPT_ERROR": 3, "SKILL_FILE_STALE": 2}

SHARED = "waits for a person; a clear proposal for the same file goes first"

Spans = Mapping[str, tuple[str, ...]]


Lack = Literal["certainty", "sessions", "people", "proof", "turn"]


class Judged(msgspec.Struct, frozen=True):
    """A claim with what its evidence is good for, what it lacks, and that in a sentence."""

    claim: Claim
    state: State
    lack: Lack | None = None
    reason: str = ""


class Desk(msgspec.Struct, frozen=True):
    """What every change set of one run is made from."""

    repo: ContextRepo
    limits: Limits
    spans: Spans | None


def plan(
    results: Sequence[SessionResult],
    repo: ContextRepo,
    limits: Limits = DEFAULTS,
    spans: Spans | None = None,
) -> tuple[Planned, ...]:
    """The change sets of all sessions with their gates: proposals by rank, then candidates.

    `spans` maps a session's id to what its user and tools said (`bot.gates.verbatim.untrusted`);
    without it the copy gate cannot run, and nothing is ready for review.
    """
    desk = Desk(repo, limits, spans)
    found = [claim for claim in claims(results) if fits(claim, repo.texts)]
    proposed, waiting = _sorted_out([evidence_bar(claim, limits) for claim in found])
    planned: list[Planned] = []
    for unit in _units(proposed):
        planned += _settled(unit, desk)
    for unit in _units(waiting):
        drawn = _drawn(unit, desk)
        hold = drawn.change_set.hold or "evidence"
        planned.append(_revised(drawn, replace(drawn.change_set, state="candidate", hold=hold)))
    return _with_own_ids(sorted(planned, key=_rank))


def evidence_bar(claim: Claim, limits: Limits) -> Judged:
    """G10: what a claim's evidence is good for, and in a sentence what it lacks.

    A verified claim needs one session (a removal two). One that rests on users' words alone
    needs several sessions of several people, none with more than half of them, and is a draft.
    """
    if claim.confidence < LEAST_CONFIDENCE:
        reason = f"the explanation is not certain enough ({claim.confidence:.2f})"
        return Judged(claim, "candidate", "certainty", reason)
    return _proved(claim, limits) if claim.verified else _told(claim, limits)


def _proved(claim: Claim, limits: Limits) -> Judged:
    removes, seen = claim.operation == "DELETE", len(claim.results)
    needed = (
        limits.min_trajectories_verified_delete if removes else limits.min_trajectories_verified
    )
    if seen < needed:
        reason = f"seen in {counted(seen, 'session', 'sessions')}; needed: {needed}"
        return Judged(claim, "candidate", "sessions", reason)
    return Judged(claim, "ready")


def _told(claim: Claim, limits: Limits) -> Judged:
    seen, people = len(claim.results), Counter(claim.principals)
    removes = claim.operation == "DELETE"
    needed = limits.min_trajectories_delete if removes else limits.min_trajectories
    if seen < needed or len(people) < limits.min_principals:
        reason = (
            f"is not proved by the repository itself ({_voices(seen, len(people))}); "
            f"needed: {_voices(needed, limits.min_principals)}"
        )
        return Judged(claim, "candidate", "sessions", reason)
    # Rounded up, so that three sessions of two people are enough.
    most = math.ceil(seen * limits.max_share_per_principal / 100)
    if max(people.values()) > most:
        reason = f"one person gave more than {limits.max_share_per_principal} % of the evidence"
        return Judged(claim, "candidate", "people", reason)
    return Judged(claim, "draft", "proof", "is not proved by the repository itself")


def _voices(sessions: int, people: int) -> str:
    return f"{counted(sessions, 'session', 'sessions')} of {counted(people, 'person', 'people')}"


def _lacking(judged: Iterable[Judged]) -> tuple[str, ...]:
    """What they lack, one sentence for each lack: that of the strongest claim."""
    told: dict[Lack, str] = {}
    for one in judged:
        if one.lack is not None:
            told.setdefault(one.lack, one.reason)
    return tuple(told.values())


def _sorted_out(judged: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """What is proposed and what waits: a doubt never holds up a clear fix of the same file."""
    clear = {
        path
        for j in judged
        if j.state == "ready" and j.claim.classification == "SYSTEMIC" and _is_sure(j.claim)
        for path in j.claim.paths
    }
    proposed, waiting = [], []
    for one in judged:
        doubtful = one.claim.classification == "AMBIGUOUS" or not _is_sure(one.claim)
        if one.state == "candidate":
            waiting.append(one)
        elif doubtful and one.claim.paths & clear:
            waiting.append(Judged(one.claim, "candidate", "turn", SHARED))
        else:
            proposed.append(one)
    return proposed, waiting


def _is_sure(claim: Claim) -> bool:
    return claim.confidence >= READY_CONFIDENCE


def _units(judged: Sequence[Judged]) -> tuple[tuple[Judged, ...], ...]:
    at = {id(one.claim): one for one in judged}
    return tuple(tuple(at[id(c)] for c in unit) for unit in units([j.claim for j in judged]))


def _settled(unit: tuple[Judged, ...], desk: Desk) -> tuple[Planned, ...]:
    """The unit as one change set; where a gate stops it, without the claims that it stops.

    The weakest claim goes first, since size caps ask only for less.
    """
    drawn = _drawn(unit, desk)
    if drawn.change_set.hold is None or len(unit) == 1:
        return (drawn,)
    alone = [_drawn((one,), desk) for one in unit]
    stopped = [at for at, planned in enumerate(alone) if planned.change_set.hold is not None]
    out = stopped[-1] if stopped else len(unit) - 1
    rest = unit[:out] + unit[out + 1 :]
    apart = alone[out]
    if not stopped:
        why = ("queued: " + drawn.change_set.reasons[0],)
        queued = replace(apart.change_set, state="candidate", hold="limit", reasons=why)
        apart = _revised(apart, queued)
    return (*_settled(rest, desk), apart)


def _drawn(unit: tuple[Judged, ...], desk: Desk) -> Planned:
    """The unit's claims composed, with the state that its evidence and the gates allow."""
    composition = compose([one.claim for one in unit], desk.repo.texts)
    kept = {id(claim) for claim in composition.claims}
    change_set = _change_set(composition, desk)
    own = _lacking(one for one in unit if id(one.claim) in kept) + _doubts(composition, change_set)
    gates = check(change_set, Inputs(desk.repo, desk.limits, _spans_of(change_set, desk.spans)))
    stops, doubts = _said(gates, STOPS), _said(gates, DOUBTS)
    if any(result.gate in CENSORED and result.outcome in STOPS for result in gates):
        change_set = _censored(change_set, desk.repo)
    settled = replace(
        change_set,
        state="candidate" if stops else "draft" if own or doubts else "ready",
        hold="gate" if stops else None,
        reasons=stops + own + doubts + composition.dropped,
    )
    return Planned(settled, gates)


def _said(gates: Sequence[GateResult], outcomes: frozenset[str]) -> tuple[str, ...]:
    return tuple(f"{r.gate}: {r.reason}" for r in gates if r.outcome in outcomes)


def _revised(planned: Planned, change_set: ChangeSet) -> Planned:
    return replace(planned, change_set=change_set)


def _censored(change_set: ChangeSet, repo: ContextRepo) -> ChangeSet:
    """The change with every added line blanked, so that no artifact holds what stopped it.

    Whole lines go, since a key may run over several.
    """
    files = []
    for file in change_set.files:
        new = set(added(file))
        lines = (file.new_text or "").split("\n")
        text = "\n".join("[redacted]" if line in new else line for line in lines)
        new_text = text if file.new_text else None
        files.append(file_change(file.path, repo.texts.get(file.path), new_text))
    return replace(change_set, files=tuple(files), patch_digest=patch_digest(files))


def _change_set(composition: Composition, desk: Desk) -> ChangeSet:
    found = composition.claims
    results = {result.session_id: result for claim in found for result in claim.results}
    texts = desk.repo.texts
    files = tuple(
        file_change(path, texts.get(path), new) for path, new in sorted(composition.texts.items())
    )
    operations = {claim.operation for claim in found}
    return ChangeSet(
        unit_id=unit_id(min(_target(claim) for claim in found)),
        finding_ids=tuple(sorted({claim.finding for claim in found})),
        kind=found[0].kind,
        operation=operations.pop() if len(operations) == 1 else "UPDATE",
        classification=gravest(claim.classification for claim in found),
        state="candidate",
        sessions=tuple(sorted(results)),
        principals=len({result.principal for result in results.values()}),
        confidence=min(claim.confidence for claim in found),
        files=files,
        reviewers=reviewers((file.path for file in files), desk.repo),
        patch_digest=patch_digest(files),
        evidence_digest=evidence_digest(results),
    )


def _doubts(composition: Composition, change_set: ChangeSet) -> tuple[str, ...]:
    """Why a change set that meets the bar is still a draft."""
    doubts = []
    if change_set.classification != "SYSTEMIC":
        doubts.append(f"the fault is {change_set.classification.lower()}; a person should decide")
    if change_set.confidence < READY_CONFIDENCE:
        doubts.append(f"confidence is {change_set.confidence:.2f}, below {READY_CONFIDENCE}")
    if composition.draw:
        doubts.append("another edit of the same place is proved as well as this one")
    return tuple(doubts)


def _target(claim: Claim) -> str:
    return claim.best.target_path or min(claim.paths)


def _spans_of(change_set: ChangeSet, spans: Spans | None) -> tuple[str, ...] | None:
    """What was said in all its sessions, or None where one of them is not at hand."""
    if spans is None or any(session not in spans for session in change_set.sessions):
        return None
    return tuple(span for session in change_set.sessions for span in spans[session])


def _rank(planned: Planned) -> tuple[bool, int, float, str]:
    unit = planned.change_set
    weight = SEVERITY.get(unit.kind, 1) * len(unit.sessions)
    return (unit.state == "candidate", -weight, -unit.confidence, unit.unit_id)


def _with_own_ids(planned: Sequence[Planned]) -> tuple[Planned, ...]:
    """A candidate that shares a file with a proposal is no part of its unit yet."""
    taken: set[str] = set()
    named = []
    for one in planned:
        unit = one.change_set
        name = unit.unit_id
        if name in taken:
            name = unit_id("\n".join((*unit.finding_ids, unit.patch_digest)))
        taken.add(name)
        named.append(_revised(one, replace(unit, unit_id=name)))
    return tuple(named)
