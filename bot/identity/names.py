"""Branch names, titles and commit messages: from facts and templates, never from session text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath

from bot.defang import line
from context_repo_schema.component import ComponentType

TITLE_LENGTH = 72
SLUG_LENGTH = 40

FOLDERS: dict[ComponentType, str] = {
    "skill": "skill",
    "kb_entry": "kb",
    "synonym_map": "kb",
    "schema_hint": "kb",
    "system_prompt": "prompt",
    "tool_prompt": "tool",
}
SEVERAL = "multi"

VERBS = {"CREATE": "Add", "UPDATE": "Update", "DELETE": "Remove"}
WHAT = {
    "SKILL_FILE_STALE": "steps that are out of date",
    "KB_CONTENT_STALE": "facts that are out of date",
    "KB_CONTENT_GAP": "a fact that is missing",
    "TOOL_PROMPT_ERROR": "a tool description that is wrong",
    "SYSTEM_PROMPT_GAP": "a rule that is missing",
    "RETRIEVAL_FAILURE": "a term that search misses",
}
OBSOLETE = "obsolete content"

# Labels beside those of the configuration: what a person has to look at, and of what nobody can
# read the sessions any more.
UNVERIFIED, SENSITIVE = "needs-verification", "safety-sensitive"
EXPIRED = "evidence-expired"

# Files that every folder has: their folder says what they are about.
GENERIC = frozenset({"skill", "index", "readme", "agents", "claude"})


def branch(folder: str, path: str, unit: str, *, generation: int = 1, prefix: str) -> str:
    """`<prefix>/<folder>/<slug>-<unit>`, with `-g2` and so on from the second generation."""
    suffix = f"-g{generation}" if generation > 1 else ""
    return f"{prefix}/{folder}/{slug(path)}-{unit}{suffix}"


def branch_pattern(prefix: str) -> re.Pattern[str]:
    """What a branch of ours looks like."""
    return re.compile(
        rf"{re.escape(prefix)}/(skill|kb|prompt|tool|multi)/"
        r"[a-z0-9][a-z0-9-]{0,39}-(?P<unit>[0-9a-f]{8})(-g(?P<generation>[1-9][0-9]{0,2}))?"
    )


def kind_named(subject: str) -> str | None:
    """The kind of fault that a title of ours names; None for several findings or a removal."""
    what = subject.rpartition(": ")[2]
    return next((kind for kind, words in WHAT.items() if words == what), None)


def slug(path: str) -> str:
    """The file name in lower-case ASCII letters, digits and hyphens, at most 40 characters."""
    file = PurePosixPath(path)
    stem = file.name.lstrip(".").split(".")[0]
    if stem.casefold() in GENERIC and file.parent.name:
        stem = file.parent.name
    folded = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", folded.lower())[:SLUG_LENGTH].strip("-") or "file"


def title(operation: str, path: str, kind: str, findings: int, prefix: str = "") -> str:
    """`<verb> <path>: <what>`, at most 72 characters; a long path loses its first folders."""
    what = f"{findings} findings" if findings > 1 else WHAT.get(kind, "content")
    if operation == "DELETE":
        what = OBSOLETE
    head = f"{prefix.strip()} {VERBS[operation]}".strip()
    room = TITLE_LENGTH - len(f"{head} : {what}")
    return line(f"{head} {_shortened(line(path), room)}: {what}")[:TITLE_LENGTH].rstrip()


def commit_message(
    subject: str,
    sentences: Sequence[str],
    unit: str,
    findings: Sequence[str],
    marks: tuple[str, int],
) -> str:
    """The subject, at most five plain lines, and the trailers; `marks` are digest and count."""
    patch, count = marks
    trailers = [f"Trace-Bot-Unit: {unit}"]
    trailers += [f"Trace-Bot-Finding: {finding}" for finding in findings]
    trailers += [f"Trace-Bot-Patch: {patch}", f"Trace-Bot-Evidence-Count: {count}"]
    body = "\n".join(line(sentence) for sentence in sentences[:5])
    return f"{subject}\n\n{body}\n\n" + "\n".join(trailers) + "\n"


def counted(count: int, singular: str, plural: str) -> str:
    """A count with its noun, such as `1 session` or `3 sessions`."""
    return f"{count} {singular if count == 1 else plural}"


def _shortened(path: str, room: int) -> str:
    """The path, or as many of its last folders as there is room for, or the end of its name."""
    parts = path.split("/")
    for first in range(len(parts)):
        kept = "/".join(["…", *parts[first:]] if first else parts)
        if len(kept) <= room:
            return kept
    return "…" + parts[-1][-(room - 1) :]
