"""What a pull request says, section by section: our own sentences, and facts as cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from bot.context.repo import ContextRepo
from bot.defang import code, line
from bot.gates.inputs import added, removed
from bot.gates.table import GATES
from bot.identity.ids import short_hash
from bot.identity.marker import Marker
from bot.identity.marker import render as render_marker
from bot.identity.names import GENERIC, VERBS, counted
from bot.records.change import HIGH_CONFIDENCE, READY_CONFIDENCE, FileChange
from bot.records.plan import RunInfo, Trial
from bot.redact import redact
from bot.reports.body import MAX_QUOTES, MAX_ROWS, Body, Change, Quote
from bot.reports.cause import cause, rival, verdict, why
from bot.reports.evidence import quotes, repo_quotes, when, witness
from bot.reports.story import Story, verified
from context_repo_schema.markdown import innermost

REDRAFTED = "the failed answer was drafted again"
MAX_READERS = 10

HUNK = re.compile(r"^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
SAFE_URL = re.compile(r"https?://[\w.:-]+(?:/[\w./-]*)?")


def body(story: Story) -> Body:
    """Every section of the body, in the order of the template."""
    return Body(
        headline=_headline(story),
        changes=tuple(_change(file, story) for file in story.change_set.files),
        cause=cause(story),
        rival=rival(story),
        repo_quotes=tuple(repo_quotes(story.sessions, story.run.privacy)),
        witnesses=tuple(witness(r, story.run) for r in story.sessions[:MAX_ROWS]),
        total=len(story.sessions),
        quotes=tuple(_quotes(story)),
        checks=tuple(_checks(story)),
        risk=_risk(story),
        earlier="",
        options=_options(story),
        footer=_footer(story.run),
        marker=render_marker(_marker(story)),
    )


def _headline(story: Story) -> str:
    days = sorted(stamp[:10] for r in story.sessions if (stamp := when(r)))
    span = " – ".join(dict.fromkeys((days[0], days[-1]))) if days else "undated"
    return " · ".join(
        (
            f"**{VERBS[story.change_set.operation]} {code(story.primary)}**",
            counted(len(story.sessions), "failed run", "failed runs"),
            span,
            f"confidence {_confidence(story.change_set.confidence)}",
            verdict(story),
        )
    )


def _quotes(story: Story) -> Iterator[Quote]:
    if story.run.quotes:
        yield from islice(quotes(story.sessions, story.run.privacy), MAX_QUOTES)


def _confidence(value: float) -> str:
    """In a word: from medium on a proposal may be ready for review."""
    return "high" if value >= HIGH_CONFIDENCE else "medium" if value >= READY_CONFIDENCE else "low"


def _change(file: FileChange, story: Story) -> Change:
    reason = why(story)
    if story.run.quotes:
        said = (r.recommendation for r in story.sessions if r.recommendation)
        own = (claim for claim in said if claim.target_path == file.path)
        told = (redact(claim.recommended_change, story.run.privacy) for claim in own)
        reason = next(told, reason)
    # What happens to the content, as the headline says it, and not to the file that holds it.
    operation = story.change_set.operation if file.path == story.primary else file.operation
    return Change(
        operation=VERBS[operation],
        path=file.path,
        section=_section(file, story.repo),
        lines=f"+{len(added(file))} -{len(removed(file))}",
        why=reason,
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
    for trial in story.trials:
        yield trial.title, _held(trial)
    if not any(trial.title == REDRAFTED for trial in story.trials):
        yield REDRAFTED, "not run"


def _held(trial: Trial) -> str:
    word = {True: "passed", False: "draft", None: "not applicable"}[trial.held]
    return f"{word}: {trial.reason}" if trial.reason else word


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
        "Push your own commits: trace-bot then leaves the branch alone. "
        "Comment `/trace-bot help` for more; the next run answers."
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
