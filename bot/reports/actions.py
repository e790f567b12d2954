"""What a run tells GitHub Actions: the outputs of the step, the job summary, secrets to mask."""

from __future__ import annotations

import base64
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bot.defang import cell
from bot.errors import ConfigError
from bot.records.plan import Publication, Published
from bot.records.report import RunResult

# GitHub shows at most 1 MiB a step, and nothing at all of a summary that is larger.
MAX_SUMMARY = 900 * 1024
CUT = "\n\nThe summary was cut here; the whole of it is in the artifact of this run.\n"
# A shorter text is masked nowhere: too much of the log would be stars.
SHORTEST_SECRET = 8
# Git sends a token to GitHub as this user's password.
GIT_USER = "x-access-token"


def analysis_outputs(
    result: RunResult, units: Sequence[Published], plan: Path | None
) -> dict[str, str]:
    """Outputs of the steps that read sessions; `units` are the decisions of the dry run."""
    failed = any(session.error is not None for session in result.sessions)
    findings = {name for found in result.proposals for name in found.change_set.finding_ids}
    return {
        "status": "partial" if failed else "ok",
        "findings": str(len(findings)),
        "queued": _count(units, "queued"),
        "blocked": _count(units, "blocked"),
        "cost-usd": f"{sum(session.usage.cost_usd for session in result.sessions):.4f}",
        "plan-path": str(plan or ""),
    }


def publication_outputs(publication: Publication) -> dict[str, str]:
    """Outputs of the steps that write; `prs-json` lists every pull request that was touched."""
    units = publication.units
    failed = any(unit.action == "failed" for unit in units)
    pulls = [
        {
            "unit": u.unit_id,
            "action": u.action,
            "branch": u.branch,
            "number": u.number,
            "url": u.url,
        }
        for u in units
        if u.number is not None
    ]
    return {
        "status": "partial" if failed or publication.warnings else "ok",
        "prs-opened": _count(units, "opened"),
        "prs-updated": _count(units, "updated"),
        "prs-closed": _count(units, "closed"),
        "queued": _count(units, "queued"),
        "blocked": _count(units, "blocked"),
        "prs-json": json.dumps(pulls, separators=(",", ":")),
    }


def combined(analysis: Mapping[str, str], publication: Mapping[str, str]) -> dict[str, str]:
    """Outputs of one step that did both: what was published has the last word on what waits."""
    partial = "partial" in (analysis["status"], publication["status"])
    return {**analysis, **publication, "status": "partial" if partial else "ok"}


def publication_summary(publication: Publication) -> str:
    """What became of every unit, as Markdown for the job summary."""
    lines = ["# trace-bot", ""]
    if publication.units:
        lines += ["| Action | Branch | Pull request | Reason |", "| --- | --- | --- | --- |"]
    for unit in publication.units:
        # Our own address, checked by the forge: it may stay a link.
        link = f"[{unit.number}]({unit.url})" if unit.number and unit.url else ""
        lines.append(f"| {unit.action} | {cell(unit.branch)} | {link} | {cell(unit.reason)} |")
    if not publication.units:
        lines.append("There was nothing to publish.")
    lines += ["", *(f"- {cell(warning)}" for warning in publication.warnings)]
    return "\n".join(lines).rstrip() + "\n"


def write_outputs(environment: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    """Append the outputs to the file that `GITHUB_OUTPUT` names; nothing outside of a workflow.

    A random delimiter around each value keeps a value from declaring another output.
    """
    place = environment.get("GITHUB_OUTPUT")
    if not place:
        return
    with _appending("GITHUB_OUTPUT", Path(place)) as file:
        for name, value in outputs.items():
            delimiter = f"trace-bot-{secrets.token_hex(16)}"
            file.write(f"{name}<<{delimiter}\n{value}\n{delimiter}\n".encode())


def append_summary(environment: Mapping[str, str], markdown: str) -> None:
    """Append to the job summary that `GITHUB_STEP_SUMMARY` names, up to 900 KiB in all.

    `markdown` is ours: foreign text in it was made harmless where it was rendered.
    """
    place = environment.get("GITHUB_STEP_SUMMARY")
    if not place:
        return
    with _appending("GITHUB_STEP_SUMMARY", Path(place)) as file:
        room = MAX_SUMMARY - os.fstat(file.fileno()).st_size
        data = f"{markdown.rstrip()}\n".encode()
        if len(data) > room:
            kept = data[: max(0, room - len(CUT.encode()))].rpartition(b"\n")[0]
            data = _closed(kept.decode()).encode() if kept else b""
        file.write(data)


@contextmanager
def _appending(variable: str, path: Path) -> Iterator[IO[bytes]]:
    """The file that a variable of the runner names. Raises `ConfigError` where it refuses."""
    try:
        with path.open("ab") as file:
            yield file
    except OSError as refused:
        raise ConfigError(
            f"{variable} names {path}: {refused.strerror}; name a file that can be written"
        ) from refused


def mask(secret: str) -> str:
    """Workflow commands that hide a secret in the log: its lines, and what HTTP makes of it.

    Empty for what is too short to be a secret.
    """
    lines = [line.strip() for line in secret.splitlines()]
    forms = [line for line in lines if len(line) >= SHORTEST_SECRET]
    if not forms:
        return ""
    whole = secret.strip()
    for text in (whole, f"{GIT_USER}:{whole}"):
        forms.append(base64.b64encode(text.encode()).decode())
    return "".join(f"::add-mask::{_data(form)}\n" for form in forms)


def _count(units: Sequence[Published], action: str) -> str:
    return str(sum(unit.action == action for unit in units))


def _closed(markdown: str) -> str:
    """The cut text with an open fence closed, so that the note is not part of a diff."""
    fence = ""
    for line in markdown.splitlines():
        bar = line[: len(line) - len(line.lstrip("~"))]
        if not fence and len(bar) >= len("~~~"):
            fence = bar
        elif fence and line.rstrip() == bar and len(bar) >= len(fence):
            fence = ""
    return f"{markdown}\n{fence}{CUT}" if fence else f"{markdown}{CUT}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
