"""Findings as text, as JSON, and as annotations of a workflow run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from bot.audit.finding import PERSON, Finding
from bot.identity.names import counted
from bot.records.finding import RepoQuote
from context_repo_schema import render
from context_repo_schema.problem import Problem

LONGEST = 200  # characters of a quote; JSON has the whole


def text(findings: Sequence[Finding]) -> str:
    """Each finding with both quotes and what decides, and a line that counts them."""
    lines = [line for finding in findings for line in _told(finding)]
    return "".join(f"{render.printable(line)}\n" for line in (*lines, _total(findings)))


def json(findings: Sequence[Finding]) -> str:
    """An object with the `findings`, each with `here` and `there` as path, line and quote."""
    answer = msgspec.json.encode({"findings": findings})
    return msgspec.json.format(answer, indent=2).decode() + "\n"


def github(findings: Sequence[Finding]) -> str:
    """Workflow commands that mark the lines in a pull request, at most ten."""
    problems = [
        Problem(f.here.path, f.here.line, "warning", f"audit-{f.check}", f.message, f.cure)
        for f in findings
    ]
    return render.github(problems, "audit")


def _told(finding: Finding) -> Iterator[str]:
    here = finding.here
    yield f"{here.path}:{here.line}: {finding.message}; {finding.cure} [{finding.check}]"
    yield f"    {_short(here)}"
    if finding.there is not None:
        yield f"    {finding.there.path}:{finding.there.line}: {_short(finding.there)}"
        yield f"    {_decision(finding)}"


def _decision(finding: Finding) -> str:
    if finding.outweighs is None:
        return f"nothing ranks the two: {PERSON}"
    why = f": {finding.why}" if finding.why else ""
    return f"{finding.outweighs} is to be believed{why}"


def _short(quote: RepoQuote) -> str:
    said = " ".join(quote.quote.split())
    return f"{said[:LONGEST]}…" if len(said) > LONGEST else said


def _total(findings: Sequence[Finding]) -> str:
    return counted(len(findings), "finding", "findings")
