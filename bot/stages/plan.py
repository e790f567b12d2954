"""Plan: which recommendations become proposals, merged by file, each with its state."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from bot.context.diff import patch_digest, unified_diff
from bot.context.repo import ContextRepo
from bot.gates.applies import blob_sha
from bot.gates.inputs import Inputs, added
from bot.gates.table import check
from bot.identity.ids import evidence_digest, unit_id
from bot.records.change import ChangeSet, FileChange, FileOperation, State
from bot.records.finding import Classification
from bot.records.plan import GateResult, Limits
from bot.records.report import SessionResult
from bot.stages.compose import Claim, Composition, claims, compose, fits, units
from bot.stages.reviewers import reviewers

DEFAULTS = Limits()
READY_CONFIDENCE = 0.6
CENSORED = frozenset({"G5", "G12"})
STOPS = frozenset({"blocked", "dropped", "draft", "not run"})
SEVERITY = {"SYSTEM_PROMPT_GAP": 3, "TOOL_PROMPT_ERROR": 3, "SKILL_FILE_STALE": 2}

SHARED = "waits for a person; a clear proposal for the same file goes first"

Spans = Mapping[str, tuple[str, ...]]


class Judged(msgspec.Struct, frozen=True):
    """A claim with what its evidence is good for; `reason` says what it lacks."""

    claim: Claim
    state: State
    reason: str


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
) -> tuple[ChangeSet, ...]:
    """The change sets of all sessions: proposals by rank, then candidates below the bar.

    `spans` maps a session's id to what its user and tools said (`bot.gates.verbatim.untrusted`);
    without it the copy gate cannot run, and nothing is ready for review.
    """
    desk = Desk(repo, limits, spans)
    found = [claim for claim in claims(results) if fits(claim, repo.texts)]
    proposed, waiting = _sorted_out([evidence_bar(claim, limits) for claim in found])
    planned: list[ChangeSet] = []
    for unit in _units(proposed):
        planned += _settled(unit, desk)
    for unit in _units(waiting):
        drawn = _drawn(unit, desk)
        lacking = dict.fromkeys([*(one.reason for one in unit), *drawn.reasons])
        planned.append(replace(drawn, state="candidate", reasons=tuple(lacking)))
    return _with_own_ids(sorted(planned, key=_rank))


def evidence_bar(claim: Claim, limits: Limits) -> Judged:
    """G10: what a claim's evidence is good for, and in a sentence what it lacks.

    A verified claim needs one session (a removal two). One that rests on users' words alone
    needs several sessions of several people, none with more than half of them, and is a draft.
    """
    removes, seen = claim.operation == "DELETE", len(claim.results)
    if claim.verified:
        needed = (
            limits.min_trajectories_verified_delete if removes else limits.min_trajectories_verified
        )
        if seen < needed:
            return Judged(claim, "candidate", f"seen in {seen} session; {needed} are needed")
        return Judged(claim, "ready", "")
    needed = limits.min_trajectories_delete if removes else limits.min_trajectories
    people = Counter(claim.principals)
    if seen < needed or len(people) < limits.min_principals:
        reason = (
            f"rests on users' words alone (sessions: {seen}, people: {len(people)}); "
            f"{needed} sessions of {limits.min_principals} people are needed"
        )
        return Judged(claim, "candidate", reason)
    # Rounded up, so that three sessions of two people are enough.
    most = math.ceil(seen * limits.max_share_per_principal / 100)
    if max(people.values()) > most:
        reason = f"one person gave more than {limits.max_share_per_principal} % of the evidence"
        return Judged(claim, "candidate", reason)
    return Judged(claim, "draft", "rests on users' words alone")


def _sorted_out(judged: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """What is proposed and what waits: a doubt never holds up a clear fix of the same file."""
    clear = {
        path
        for j in judged
        if j.state == "ready" and j.claim.classification == "SYSTEMIC"
        for path in j.claim.paths
    }
    proposed, waiting = [], []
    for one in judged:
        doubtful = one.claim.classification == "AMBIGUOUS" and one.claim.paths & clear
        if one.state == "candidate":
            waiting.append(one)
        elif doubtful:
            waiting.append(Judged(one.claim, "candidate", SHARED))
        else:
            proposed.append(one)
    return proposed, waiting


def _units(judged: Sequence[Judged]) -> tuple[tuple[Judged, ...], ...]:
    at = {id(one.claim): one for one in judged}
    return tuple(tuple(at[id(c)] for c in unit) for unit in units([j.claim for j in judged]))


def _settled(unit: tuple[Judged, ...], desk: Desk) -> tuple[ChangeSet, ...]:
    """The unit as one change set; where a gate stops it, without the claims that it stops.

    The weakest claim goes first, since size caps ask only for less.
    """
    drawn = _drawn(unit, desk)
    if drawn.state != "candidate" or len(unit) == 1:
        return (drawn,)
    alone = [_drawn((one,), desk) for one in unit]
    stopped = [at for at, change_set in enumerate(alone) if change_set.state == "candidate"]
    out = stopped[-1] if stopped else len(unit) - 1
    rest = unit[:out] + unit[out + 1 :]
    apart = alone[out]
    if not stopped:
        apart = replace(apart, state="candidate", reasons=("queued: " + drawn.reasons[0],))
    return (*_settled(rest, desk), apart)


def _drawn(unit: tuple[Judged, ...], desk: Desk) -> ChangeSet:
    """The unit's claims composed, with the state that its evidence and the gates allow."""
    composition = compose([one.claim for one in unit], desk.repo.texts)
    kept = {id(claim) for claim in composition.claims}
    change_set = _change_set(composition, desk)
    own = tuple(
        dict.fromkeys(
            [one.reason for one in unit if id(one.claim) in kept and one.reason]
            + _doubts(composition, change_set)
        )
    )
    inputs = Inputs(desk.repo, desk.limits, _spans_of(change_set, desk.spans))
    results = check(change_set, inputs)
    reasons = own + tuple(f"{r.gate}: {r.reason}" for r in results if r.outcome in STOPS)
    if any(result.gate in CENSORED and result.outcome == "blocked" for result in results):
        change_set = _censored(change_set, desk.repo)
    return replace(
        change_set,
        state=_state(bool(own), results),
        reasons=reasons + composition.dropped,
    )


def _censored(change_set: ChangeSet, repo: ContextRepo) -> ChangeSet:
    """The change with every added line blanked, so that no artifact holds what stopped it.

    Whole lines go, since a key may run over several.
    """
    files = []
    for file in change_set.files:
        new = set(added(file))
        lines = (file.new_text or "").split("\n")
        text = "\n".join("[redacted]" if line in new else line for line in lines)
        files.append(_file(file.path, repo.texts.get(file.path), text if file.new_text else None))
    return replace(change_set, files=tuple(files), patch_digest=patch_digest(files))


def _change_set(composition: Composition, desk: Desk) -> ChangeSet:
    found = composition.claims
    results = {result.session_id: result for claim in found for result in claim.results}
    texts = desk.repo.texts
    files = tuple(_file(p, texts.get(p), new) for p, new in sorted(composition.texts.items()))
    operations = {claim.operation for claim in found}
    return ChangeSet(
        unit_id=unit_id(min(_target(claim) for claim in found)),
        finding_ids=tuple(sorted({claim.finding for claim in found})),
        kind=found[0].kind,
        operation=operations.pop() if len(operations) == 1 else "UPDATE",
        classification=_classification(found),
        state="candidate",
        sessions=tuple(sorted(results)),
        principals=len({result.principal for result in results.values()}),
        confidence=min(claim.confidence for claim in found),
        files=files,
        reviewers=reviewers((file.path for file in files), texts),
        patch_digest=patch_digest(files),
        evidence_digest=evidence_digest(results),
    )


def _file(path: str, old: str | None, new: str | None) -> FileChange:
    operation: FileOperation = "CREATE" if old is None else "DELETE" if new is None else "UPDATE"
    return FileChange(path, operation, unified_diff(path, old, new), blob_sha(old), new)


def _doubts(composition: Composition, change_set: ChangeSet) -> list[str]:
    """Why a change set that meets the bar is still a draft."""
    doubts = []
    if change_set.classification != "SYSTEMIC":
        doubts.append(f"the fault is {change_set.classification.lower()}; a person should decide")
    if change_set.confidence < READY_CONFIDENCE:
        doubts.append(f"confidence is {change_set.confidence:.2f}, below {READY_CONFIDENCE}")
    if composition.draw:
        doubts.append("another edit of the same place is proved as well as this one")
    return doubts


def _state(doubtful: bool, results: Sequence[GateResult]) -> State:
    outcomes = {result.outcome for result in results}
    if outcomes & {"blocked", "dropped"}:
        return "candidate"
    return "draft" if doubtful or outcomes & {"draft", "not run"} else "ready"


def _classification(found: Sequence[Claim]) -> Classification:
    said = {claim.classification for claim in found}
    order: tuple[Classification, ...] = ("AMBIGUOUS", "INCIDENTAL", "SYSTEMIC")
    return next(classification for classification in order if classification in said)


def _target(claim: Claim) -> str:
    return claim.best.target_path or min(claim.paths)


def _spans_of(change_set: ChangeSet, spans: Spans | None) -> tuple[str, ...] | None:
    """What was said in all its sessions, or None where one of them is not at hand."""
    if spans is None or any(session not in spans for session in change_set.sessions):
        return None
    return tuple(span for session in change_set.sessions for span in spans[session])


def _rank(change_set: ChangeSet) -> tuple[bool, int, float, str]:
    weight = SEVERITY.get(change_set.kind, 1) * len(change_set.sessions)
    return (change_set.state == "candidate", -weight, -change_set.confidence, change_set.unit_id)


def _with_own_ids(planned: Sequence[ChangeSet]) -> tuple[ChangeSet, ...]:
    """A candidate that shares a file with a proposal is no part of its unit yet."""
    taken: set[str] = set()
    named = []
    for change_set in planned:
        name = change_set.unit_id
        if name in taken:
            name = unit_id("\n".join((*change_set.finding_ids, change_set.patch_digest)))
        taken.add(name)
        named.append(replace(change_set, unit_id=name))
    return tuple(named)
