"""`explain`: one session's diagnosis step by step, with the rivals that lost and why."""

from __future__ import annotations

import argparse
import os

import msgspec

from bot.commands.analysis import analysis, clean, exit_code
from bot.commands.outcome import Outcome
from bot.defang import inert, short
from bot.errors import ConfigError
from bot.records.change import Recommendation
from bot.records.finding import Attribution, Detection
from bot.records.report import SessionResult
from bot.redact.session import safe_id
from bot.reports.evidence import lost
from bot.reports.withhold import public

LONGEST = 400


def execute(args: argparse.Namespace) -> Outcome:
    """Diagnose the one session that is asked for, and tell its story."""
    found = analysis(args, os.environ, only=args.session)
    named = safe_id(args.session, found.settings.privacy)
    wanted = [s for s in public(found.result).sessions if s.session_id == named]
    if not wanted:
        raise ConfigError(
            f"no session {args.session!r} among those that were read; ids are printed by "
            "`trace-bot dry-run`"
        )
    threshold = found.settings.config.detection.threshold
    return Outcome(inert("\n".join(_story(wanted[0], threshold)) + "\n"), exit_code(found))


def _story(result: SessionResult, threshold: float) -> list[str]:
    lines = [f"Session {_flat(result.session_id)}"]
    if result.error is not None:
        return [*lines, f"It could not be diagnosed: {_flat(result.error)}"]
    lines += ["", "1. Was the user dissatisfied?", *_detection(result.detection, threshold)]
    if result.detection is None or not result.detection.is_dsat:
        return lines
    lines += ["", "2. Where did it go wrong?", *_attribution(result.attribution)]
    lines += ["", "3. What should change?", *_recommendation(result.recommendation)]
    return [*lines, *(f"   note: {_flat(note)}" for note in result.notes)]


def _detection(detection: Detection | None, threshold: float) -> list[str]:
    if detection is None:
        return ["   not asked"]
    sure = f"{detection.confidence:.2f}"
    verdict = f"yes, confidence {sure}"
    if not detection.is_dsat:
        below = detection.confidence < threshold
        verdict = f"no: {sure} is below the threshold {threshold:.2f}" if below else f"no, {sure}"
    lines = [f"   {verdict}. {_flat(detection.summary)}".rstrip()]
    return lines + [
        f"   - {s.signal_type} {s.confidence:.2f}, turn {s.turn_id}: “{_flat(s.evidence)}”"
        for s in detection.signals
    ]


def _attribution(claim: Attribution | None) -> list[str]:
    if claim is None:
        return ["   no explanation is supported by evidence; nothing is proposed"]
    lines = [f"   {_flat(lost(claim))}"]
    for score in sorted(claim.scores, key=lambda s: -s.score):
        if score.score > 0:
            lines.append(f"   {score.score:5.2f}  {_flat(score.node_id)}  {_flat(score.reason)}")
    for quote in claim.evidence:
        lines.append(f"   {_flat(quote.node_id)}: “{_flat(quote.quote)}”")
    lines.append(f"   Certainty {claim.margin:.2f}. Explanations, best first:")
    for rank, rival in enumerate(claim.hypotheses[:5], 1):
        target = _flat(rival.component_path or "no file")
        lines.append(
            f"   {rank}. {rival.category} at {_flat(rival.node_id)}, {rival.operation} {target}: "
            f"{_flat(rival.reason)}"
        )
    return lines


def _recommendation(claim: Recommendation | None) -> list[str]:
    if claim is None:
        return ["   nothing that survived its checks"]
    place = _flat(claim.target_path or "")
    lines = [f"   {claim.operation} {place}: {_flat(claim.recommended_change)}"]
    for name, check in msgspec.structs.asdict(claim.diagnosis).items():
        verdict = {True: "passed", False: "failed", None: "not asked"}[check.passed]
        lines.append(f"   {name:14} {verdict:10} {_flat(check.evidence)}")
    for look in claim.exploration_log:
        asked = msgspec.json.encode(look.input).decode()
        lines.append(f"   looked: {_flat(look.tool)} {_flat(asked)} → {_flat(look.result)}")
    for quote in claim.evidence:
        lines.append(f"   {_flat(quote.path)}:{quote.line}: “{_flat(quote.quote)}”")
    return lines


def _flat(text: str) -> str:
    return short(clean(text), LONGEST)
