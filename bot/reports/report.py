"""The run report `trace-bot/report/v1`: the published shape, and a run written in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from bot import __version__
from bot.defang import marked
from bot.records.change import Check, Diagnosis, Exploration, Recommendation
from bot.records.finding import (
    Attribution,
    Classification,
    ComponentType,
    Delta,
    Detection,
    FaultCategory,
    NodeQuote,
    Operation,
    RepoQuote,
    Segment,
    Signal,
)
from bot.records.report import SCHEMA, Proposal, RunResult, SessionResult, Skipped, Usage
from bot.reports.withhold import public

Redact = Callable[[str], str]


class Totals(msgspec.Struct, frozen=True):
    """What the run did and spent."""

    sessions: int
    dissatisfied: int
    attributed: int
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    failed: int = 0


class Alternative(msgspec.Struct, frozen=True):
    """A rival explanation, with why it ranked where it did."""

    fault_category: FaultCategory
    operation: Operation
    node_id: str
    component_path: str | None
    reason: str


class ReportAttribution(msgspec.Struct, frozen=True):
    """Where the loss came from."""

    root_cause_node: str
    attribution_scores: dict[str, float]
    fault_category: FaultCategory
    component_type: ComponentType
    component_path: str | None
    gradient_description: str
    evidence: tuple[NodeQuote, ...]
    coverage: float
    margin: float
    reasons: dict[str, str]
    alternatives: tuple[Alternative, ...]


class ReportRecommendation(msgspec.Struct, frozen=True):
    """What to do about it."""

    operation: Operation
    target_path: str | None
    recommended_change: str
    classification: Classification
    confidence: float
    authoritative_source: str | None
    verified: bool
    diagnosis: Diagnosis
    exploration_log: tuple[Exploration, ...]
    evidence: tuple[RepoQuote, ...]


class ReportSession(msgspec.Struct, frozen=True):
    """One session; nulls after `detection` where it was not dissatisfied."""

    session_id: str
    segments: tuple[Segment, ...]
    detection: Detection | None
    delta: Delta | None
    attribution: ReportAttribution | None
    recommendation: ReportRecommendation | None
    usage: Usage
    error: str | None
    notes: tuple[str, ...]


class ReportFile(msgspec.Struct, frozen=True):
    """One file of a change set."""

    path: str
    operation: Literal["CREATE", "UPDATE", "DELETE"]
    diff: str


class ReportChangeSet(msgspec.Struct, frozen=True):
    """A proposal, as a pull request would hold it; `state` says what publishing would do."""

    id: str
    title: str
    branch: str
    operation: Operation
    classification: Classification
    state: Literal["ready", "draft", "candidate"]
    reasons: tuple[str, ...]
    sessions: tuple[str, ...]
    files: tuple[ReportFile, ...]
    reviewers: tuple[str, ...]
    body: str
    pull_request: str | None


class Report(msgspec.Struct, frozen=True):
    """The whole file."""

    schema: str
    tool_version: str
    engine: str
    context_commit: str | None
    started_at: str
    finished_at: str
    totals: Totals
    sessions: tuple[ReportSession, ...]
    change_sets: tuple[ReportChangeSet, ...]
    skipped: tuple[Skipped, ...]
    prompts: str = ""


def report(run: RunResult, redact: Redact) -> Report:
    """The run in its published shape. Every text of a session passes through `redact`, and marks
    stand for what nobody sees in it; ids and places stay, so that other programs can match them.
    Without `run.quotes` no text of a session is there at all."""
    run = public(run)

    def clean(text: str) -> str:
        return marked(redact(text))

    return Report(
        schema=SCHEMA,
        tool_version=__version__,
        engine=run.engine,
        context_commit=run.context_commit,
        started_at=run.started_at,
        finished_at=run.finished_at,
        totals=_totals(run.sessions),
        sessions=tuple(_session(result, clean) for result in run.sessions),
        change_sets=tuple(_change_set(proposal, clean) for proposal in run.proposals),
        skipped=tuple(Skipped(clean(s.where), clean(s.reason), s.rest) for s in run.skipped),
        prompts=run.prompts,
    )


def encode(value: msgspec.Struct) -> bytes:
    """Indented JSON with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _totals(sessions: tuple[SessionResult, ...]) -> Totals:
    return Totals(
        sessions=len(sessions),
        dissatisfied=sum(bool(s.detection and s.detection.is_dsat) for s in sessions),
        attributed=sum(s.attribution is not None for s in sessions),
        llm_calls=sum(s.usage.llm_calls for s in sessions),
        prompt_tokens=sum(s.usage.prompt_tokens for s in sessions),
        completion_tokens=sum(s.usage.completion_tokens for s in sessions),
        cost_usd=sum(s.usage.cost_usd for s in sessions),
        failed=sum(s.error is not None for s in sessions),
    )


def _session(result: SessionResult, redact: Redact) -> ReportSession:
    attribution = result.attribution
    return ReportSession(
        session_id=result.session_id,
        segments=result.segments,
        detection=_detection(result.detection, redact) if result.detection else None,
        delta=_delta(attribution.delta, redact) if attribution else None,
        attribution=_attribution(attribution, redact) if attribution else None,
        recommendation=(
            _recommendation(result.recommendation, redact) if result.recommendation else None
        ),
        usage=result.usage,
        error=None if result.error is None else redact(result.error),
        notes=tuple(map(redact, result.notes)),
    )


def _detection(detection: Detection, redact: Redact) -> Detection:
    return msgspec.structs.replace(
        detection,
        summary=redact(detection.summary),
        signals=tuple(_redacted(s, redact) for s in detection.signals),
    )


def _redacted(signal: Signal, redact: Redact) -> Signal:
    return msgspec.structs.replace(signal, evidence=redact(signal.evidence))


def _delta(delta: Delta, redact: Redact) -> Delta:
    return Delta(
        redact(delta.loss_description),
        redact(delta.expected_outcome),
        redact(delta.actual_outcome),
    )


def _attribution(claim: Attribution, redact: Redact) -> ReportAttribution:
    return ReportAttribution(
        root_cause_node=claim.root_cause_node,
        attribution_scores={s.node_id: round(s.score, 6) for s in claim.scores},
        fault_category=claim.fault_category,
        component_type=claim.component_type,
        component_path=claim.component_path,
        gradient_description=redact(claim.gradient_description),
        evidence=tuple(NodeQuote(q.node_id, redact(q.quote)) for q in claim.evidence),
        coverage=claim.coverage,
        margin=claim.margin,
        reasons={s.node_id: redact(s.reason) for s in claim.scores if s.reason},
        alternatives=tuple(
            Alternative(h.category, h.operation, h.node_id, h.component_path, redact(h.reason))
            for h in claim.hypotheses[1:4]
        ),
    )


def _recommendation(claim: Recommendation, redact: Redact) -> ReportRecommendation:
    return ReportRecommendation(
        operation=claim.operation,
        target_path=claim.target_path,
        recommended_change=redact(claim.recommended_change),
        classification=claim.classification,
        confidence=claim.confidence,
        authoritative_source=claim.authoritative_source,
        verified=claim.verified,
        diagnosis=_diagnosis(claim.diagnosis, redact),
        exploration_log=tuple(
            Exploration(e.tool, _redacted_json(e.input, redact), redact(e.result))
            for e in claim.exploration_log
        ),
        evidence=tuple(RepoQuote(q.path, q.line, redact(q.quote)) for q in claim.evidence),
    )


def _diagnosis(diagnosis: Diagnosis, redact: Redact) -> Diagnosis:
    def checked(check: Check) -> Check:
        return Check(check.passed, redact(check.evidence))

    return Diagnosis(
        checked(diagnosis.existence),
        checked(diagnosis.accessibility),
        checked(diagnosis.correctness),
        checked(diagnosis.consistency),
    )


def _redacted_json(value: Any, redact: Redact) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(str(key)): _redacted_json(inner, redact) for key, inner in value.items()}
    if isinstance(value, list):
        return [_redacted_json(inner, redact) for inner in value]
    return value


def _change_set(proposal: Proposal, redact: Redact) -> ReportChangeSet:
    changes, pull_request = proposal.change_set, proposal.pull_request
    return ReportChangeSet(
        id=changes.unit_id,
        title=pull_request.title,
        branch=pull_request.branch,
        operation=changes.operation,
        classification=changes.classification,
        state=changes.state,
        reasons=tuple(map(redact, changes.reasons)),
        sessions=changes.sessions,
        files=tuple(ReportFile(f.path, f.operation, f.diff) for f in changes.files),
        reviewers=changes.reviewers,
        body=pull_request.body,
        pull_request=None,
    )
