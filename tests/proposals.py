"""Sessions, recommendations and plans made by hand, for tests of what comes after the engines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.context.read import read_repo
from bot.context.repo import ContextRepo
from bot.lifecycle.parts import with_parts
from bot.records.change import Edit, Recommendation
from bot.records.finding import (
    Attribution,
    Classification,
    Delta,
    Detection,
    FaultCategory,
    Hypothesis,
    NodeQuote,
    NodeScore,
    Operation,
    Signal,
)
from bot.records.plan import Limits, Plan, RunInfo
from bot.records.report import Proposal, SessionResult
from bot.stages.describe import describe
from bot.stages.plan import plan

SKILL = "skills/pay/SKILL.md"
POLICY = "knowledge_base/policies/PAY-1.md"
FILES = {
    SKILL: "---\nname: pay\ndescription: Pays invoices.\n---\n# Pay\n\n## Limits\n\n"
    "Invoices above $50,000 go to procurement.\nTravel is booked on Mondays.\n",
    POLICY: "---\nstatus: approved\n---\n# PAY-1\n\nInvoices above $25,000 go to procurement.\n",
    "knowledge_base/hours.md": "# Hours\n\nThe desk opens at nine o'clock.\n",
    "prompts/system_prompt.md": "# Assistant\n\nYou answer questions on payments.\n",
    "tools/tool_definitions.json": '[\n  {"name": "pay", "description": "Pays within 3 days"}\n]\n',
    "CODEOWNERS": "* @acme/everyone\n/skills/ @dev\n",
}
THRESHOLD = Edit(SKILL, "UPDATE", "above $25,000 go", "above $50,000 go")
HOURS = Edit("knowledge_base/hours.md", "UPDATE", "opens at eight", "opens at nine")
TOOL = Edit("tools/tool_definitions.json", "UPDATE", "within 5 days", "within 3 days")


def write_files(root: Path, files: dict[str, str] | None = None) -> ContextRepo:
    """A folder with these files, read as a context repository."""
    for path, text in (files or FILES).items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    return read_repo(root)


def session(
    name: str,
    *edits: Edit,
    kind: FaultCategory = "SKILL_FILE_STALE",
    operation: Operation = "UPDATE",
    classification: Classification = "SYSTEMIC",
    verified: bool = True,
    confidence: float = 0.9,
    anchor: str = "limits",
    principal: str | None = None,
    words: str = "That is not right.",
    started_at: str | None = "2026-01-05T10:00:00Z",
) -> SessionResult:
    """A diagnosed session that asks for these edits; `words` stand wherever it is quoted."""
    target = edits[0].path if edits else None
    rivals = (
        Hypothesis(kind, operation, "skill", target, "node_2", 0.8, words),
        Hypothesis("KB_CONTENT_GAP", "CREATE", "kb_entry", POLICY, "node_1", 0.2, words),
    )
    attribution = Attribution(
        Delta(f"DELTA: {words}", words, words),
        "node_2",
        (NodeScore("node_2", 1.0),),
        kind,
        "skill",
        target,
        words,
        (NodeQuote("node_2", words),),
        rivals,
        0.9,
    )
    recommendation = Recommendation(
        operation,
        target,
        words,
        classification,
        confidence,
        authoritative_source=POLICY if verified else None,
        verified=verified,
        anchor=anchor,
        edits=edits,
    )
    detection = Detection(True, 0.95, 3, words, (Signal("CORRECTION", words, 3, 0.95),))
    return SessionResult(
        name,
        principal or f"user of {name}",
        (),
        detection,
        attribution,
        recommendation,
        started_at=started_at,
    )


def proposals(
    results: Sequence[SessionResult],
    repo: ContextRepo,
    limits: Limits = Limits(),  # noqa: B008 - a frozen record
    run: RunInfo = RunInfo(),  # noqa: B008 - a frozen record
) -> tuple[Proposal, ...]:
    """What a run makes of the sessions, in which nobody said a word."""
    spans = {result.session_id: () for result in results}

    def described(own: Sequence[SessionResult]) -> tuple[Proposal, ...]:
        return tuple(
            Proposal(unit.change_set, describe(unit.change_set, own, repo, unit.gates, run))
            for unit in plan(own, repo, limits, spans)
        )

    return tuple(with_parts(whole, results, described) for whole in described(results))


def plan_of(
    results: Sequence[SessionResult], repo: ContextRepo, limits: Limits | None = None
) -> Plan:
    """The plan of these sessions for acme/context."""
    return Plan(
        tool_version="0",
        engine="offline",
        repository="acme/context",
        base_branch="",
        base_sha=repo.commit,
        config_sha="",
        run_id="1",
        created_at="2026-01-06T00:00:00Z",
        proposals=proposals(results, repo, limits or Limits()),
    )
