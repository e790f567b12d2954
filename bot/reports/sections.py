"""What a pull request says, section by section: our own sentences, and facts as cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

import msgspec

from bot.context.repo import ContextRepo
from bot.defang import code, line
from bot.gates.inputs import added, removed
from bot.gates.table import GATES
from bot.identity.ids import short_hash
from bot.identity.marker import Marker
from bot.identity.marker import render as render_marker
from bot.identity.names import GENERIC, VERBS, counted
from bot.records.change import ChangeSet, FileChange
from bot.records.plan import GateResult, RunInfo
from bot.records.report import SessionResult
from bot.redact import redact
from bot.reports.body import MAX_QUOTES, MAX_ROWS, Body, Change
from bot.reports.evidence import hypotheses, quotes, repo_quotes, when, witness
from context_repo_schema.markdown import innermost

MAX_READERS = 10

LABELS = {
    "SKILL_FILE_STALE": "a skill that is out of date",
    "KB_CONTENT_STALE": "knowledge that is out of date",
    "KB_CONTENT_GAP": "knowledge that is missing",
    "TOOL_PROMPT_ERROR": "a tool description that is wrong",
    "SYSTEM_PROMPT_GAP": "an instruction that is missing",
    "RETRIEVAL_FAILURE": "a search that misses the document",
    "NONE": "no fault of the context at all",
}
CAUSES = {
    "SKILL_FILE_STALE": "followed {path}, and what it says there is out of date",
    "KB_CONTENT_STALE": "answered from {path}, and what it says there is out of date",
    "KB_CONTENT_GAP": "found nothing on the question where {path} should answer it",
    "TOOL_PROMPT_ERROR": "called a tool as {path} describes it, and the description is wrong",
    "SYSTEM_PROMPT_GAP": "was told nothing by {path} on what to do in such a case",
    "RETRIEVAL_FAILURE": "searched with a term that {path} does not tie to the right document",
}
HUNK = re.compile(r"^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
SAFE_URL = re.compile(r"https?://[\w.:-]+(?:/[\w./-]*)?")


class Story(msgspec.Struct, frozen=True):
    """All that the sections are made from; `sessions` are the evidence, the oldest first."""

    change_set: ChangeSet
    sessions: tuple[SessionResult, ...]
    repo: ContextRepo
    gates: tuple[GateResult, ...]
    run: RunInfo
    primary: str
    title: str
    labels: tuple[str, ...]


def body(story: Story) -> Body:
    """Every section of the body, in the order of the template."""
    return Body(
        headline=_headline(story),
        changes=tuple(_change(file, story) for file in story.change_set.files),
        cause=_cause(story),
        rival=_rival(story),
        repo_quotes=tuple(repo_quotes(story.sessions)),
        witnesses=tuple(witness(r, story.run.quotes) for r in story.sessions[:MAX_ROWS]),
        total=len(story.sessions),
        quotes=tuple(islice(quotes(story.sessions), MAX_QUOTES)) if story.run.quotes else (),
        checks=tuple(_checks(story)),
        risk=_risk(story),
        earlier="",
        options=_options(story),
        footer=_footer(story.run),
        marker=render_marker(_marker(story)),
    )


def authority(story: Story) -> str | None:
    """The file of the repository that settles the matter, or None."""
    sources = (r.recommendation.authoritative_source for r in story.sessions if r.recommendation)
    return next((source for source in sources if source), None)


def verified(story: Story) -> bool:
    """Whether anything but users' words speaks for the change."""
    return any(r.recommendation.verified for r in story.sessions if r.recommendation)


def _headline(story: Story) -> str:
    days = sorted(stamp[:10] for r in story.sessions if (stamp := when(r)))
    span = " – ".join(dict.fromkeys((days[0], days[-1]))) if days else "undated"
    return " · ".join(
        (
            f"**{VERBS[story.change_set.operation]} {code(story.primary)}**",
            counted(len(story.sessions), "failed run", "failed runs"),
            span,
            f"confidence {_confidence(story.change_set.confidence)}",
            _verification(story),
        )
    )


def _verification(story: Story) -> str:
    source = authority(story)
    if verified(story) and source:
        return f"verified against {code(source)}"
    if verified(story):
        return "verified by a schema or by a tool's own error"
    return "not verified: it rests on what users said"


def _confidence(value: float) -> str:
    return "high" if value >= 0.8 else "medium" if value >= 0.6 else "low"


def _change(file: FileChange, story: Story) -> Change:
    why = LABELS.get(story.change_set.kind, "")
    source = authority(story)
    if source:
        why = f"{why}; {source} settles it"
    if story.run.quotes:
        said = (r.recommendation for r in story.sessions if r.recommendation)
        why = next((redact(s.recommended_change) for s in said if s.target_path == file.path), why)
    return Change(
        operation=VERBS[file.operation],
        path=file.path,
        section=_section(file, story.repo),
        lines=f"+{len(added(file))} -{len(removed(file))}",
        why=why,
    )


def _section(file: FileChange, repo: ContextRepo) -> str:
    """The headings above the first changed line, or nothing."""
    component = repo.component(file.path)
    found = innermost(component.sections, _first_line(file.diff)) if component else None
    return " / ".join(found.headings) if found else ""


def _first_line(diff: str) -> int:
    """The 1-based line of the old text at which the first change stands."""
    at = 0
    for row in diff.split("\n"):
        hunk = HUNK.match(row)
        if hunk:
            at = int(hunk[1])
        elif at and row[:1] in "+-":
            break
        elif at:
            at += 1
    return max(at, 1)


def _cause(story: Story) -> str:
    count = len(story.sessions)
    runs = "the run" if count == 1 else f"each of the {count} runs"
    template = CAUSES.get(story.change_set.kind, "read {path}")
    sentences = [
        f"In {runs} below the agent {template.format(path=code(story.primary))}.",
        "The table names the step at which the answer went wrong.",
    ]
    source = authority(story)
    if source and verified(story):
        sentences.append(f"{code(source)} says it differently and outranks it.")
    elif not verified(story):
        sentences.append("No file of the repository settles the matter: please check the facts.")
    return " ".join(sentences)


def _rival(story: Story) -> str:
    best, second = hypotheses(story.sessions)
    if best is None or second is None:
        return "No other explanation came close."
    path = second.component_path
    place = f" in {code(path)}" if path is not None and path in story.repo.texts else ""
    return (
        f"The best other explanation was {LABELS[second.category]}{place}; it ranked lower "
        f"on what the sessions and the files show ({second.score:.2f} against {best.score:.2f})."
    )


def _checks(story: Story) -> Iterator[tuple[str, str]]:
    done = {result.gate: result for result in story.gates}
    for gate, title, _ in GATES:
        result = done.get(gate)
        if result is None:
            yield title, "not run"
        else:
            yield title, f"{result.outcome}: {result.reason}" if result.reason else result.outcome
    sessions = counted(len(story.sessions), "session", "sessions")
    people = counted(story.change_set.principals, "person", "people")
    proof = "verified" if verified(story) else "not verified"
    yield "there is enough evidence", f"{sessions} of {people}; {proof}"
    yield "the failed sessions were replayed", "not run"


def _risk(story: Story) -> str:
    readers = list(_readers(story.primary, story.repo))
    shown = ", ".join(code(path) for path in readers[:MAX_READERS])
    if len(readers) > MAX_READERS:
        shown += f" and {len(readers) - MAX_READERS} more"
    known = f"These files refer to it: {shown}." if readers else "No other file refers to it."
    return (
        f"{known} Every agent that reads {code(story.primary)} will act on the new text, "
        "also where the old one served it well. To undo it, revert the one commit."
    )


def _readers(path: str, repo: ContextRepo) -> Iterator[str]:
    """Files that name this one, by its path or by a file name that only it has."""
    file = PurePosixPath(path)
    name = file.name if file.stem.lower() not in GENERIC else "/".join(file.parts[-2:])
    for other, text in sorted(repo.texts.items()):
        if other != path and (path in text or name in text):
            yield other


def _options(story: Story) -> str:
    count = len(story.change_set.finding_ids)
    these = "this finding" if count == 1 else f"these {count} findings"
    return (
        f"Merge to accept. Close to reject {these} for good. "
        "Push your own commits: trace-bot then leaves the branch alone."
    )


def _footer(run: RunInfo) -> str:
    parts = [
        f"Written by trace-bot {line(run.tool_version)} with {line(run.engine)}; "
        "a person must review it."
    ]
    if SAFE_URL.fullmatch(run.run_url):
        parts.append(f"[Run]({run.run_url}).")
    if run.config_sha:
        parts.append(f"Config {line(run.config_sha)[:7]}.")
    return " ".join(parts)


def _marker(story: Story) -> Marker:
    change_set = story.change_set
    return Marker(
        unit=change_set.unit_id,
        generation=1,
        findings=change_set.finding_ids,
        aliases=(),
        patch=change_set.patch_digest,
        evidence=change_set.evidence_digest,
        count=len(change_set.sessions),
        head="",
        base=story.repo.commit or "",
        title=short_hash(story.title),
        labels=story.labels,
        state="managed",
    )
