"""A run without what was said in its sessions, for places that strangers can read.

Ids, types, counts, paths, scores and quotes of the repository stay.
"""

from __future__ import annotations

from msgspec.structs import replace

from bot.records.change import Check, Diagnosis, Exploration, Recommendation
from bot.records.finding import Attribution, Delta, Detection
from bot.records.report import RunResult, SessionResult

WITHHELD = "[withheld]"


def public(run: RunResult) -> RunResult:
    """The run as it is where `run.quotes` allows words of sessions, else without them."""
    return run if run.quotes else replace(run, sessions=tuple(map(_session, run.sessions)))


def _session(result: SessionResult) -> SessionResult:
    detection, attribution, claim = result.detection, result.attribution, result.recommendation
    return replace(
        result,
        detection=_detection(detection) if detection else None,
        attribution=_attribution(attribution) if attribution else None,
        recommendation=_recommendation(claim) if claim else None,
    )


def _detection(detection: Detection) -> Detection:
    signals = tuple(replace(signal, evidence=WITHHELD) for signal in detection.signals)
    return replace(detection, signals=signals)


def _attribution(claim: Attribution) -> Attribution:
    return replace(
        claim,
        delta=Delta(WITHHELD, WITHHELD, WITHHELD),
        scores=tuple(replace(s, reason=_said(s.reason)) for s in claim.scores),
        gradient_description=WITHHELD,
        evidence=tuple(replace(quote, quote=WITHHELD) for quote in claim.evidence),
        hypotheses=tuple(
            replace(h, reason=_said(h.reason), session_quotes=()) for h in claim.hypotheses
        ),
    )


def _recommendation(claim: Recommendation) -> Recommendation:
    return replace(
        claim,
        recommended_change=WITHHELD,
        diagnosis=_diagnosis(claim.diagnosis),
        exploration_log=tuple(
            Exploration(look.tool, dict.fromkeys(look.input, WITHHELD), WITHHELD)
            for look in claim.exploration_log
        ),
    )


def _diagnosis(diagnosis: Diagnosis) -> Diagnosis:
    return Diagnosis(
        _check(diagnosis.existence),
        _check(diagnosis.accessibility),
        _check(diagnosis.correctness),
        _check(diagnosis.consistency),
    )


def _check(check: Check) -> Check:
    return replace(check, evidence=_said(check.evidence))


def _said(text: str) -> str:
    return WITHHELD if text else ""
