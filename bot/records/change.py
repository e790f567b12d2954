"""What should change: recommendation, exact edits, change set, pull request."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bot.records.finding import Classification, Operation, RepoQuote

FileOperation = Literal["CREATE", "UPDATE", "DELETE"]
State = Literal["ready", "draft", "candidate"]
Hold = Literal["evidence", "gate", "limit"]

# From the first on a proposal may be ready for review and its confidence is called medium, from
# the second on high. `trace-bot bench held-out` says how many of the ready ones are right.
READY_CONFIDENCE, HIGH_CONFIDENCE = 0.8, 0.9
LEAST_CONFIDENCE = 0.5  # below it there is no proposal


class Edit(msgspec.Struct, frozen=True):
    """One exact edit of one file, as text in and text out.

    UPDATE replaces `old`, which must occur exactly once, by `new`. CREATE with `old` None writes
    a new file; DELETE with `old` None removes the file. Adding to a standing file is an UPDATE
    whose `old` is the text beside the insertion.
    """

    path: str
    operation: FileOperation
    new: str | None = None
    old: str | None = None


class Check(msgspec.Struct, frozen=True):
    """One dimension of the diagnosis (TRACE, exploratory recommendation), with its evidence."""

    passed: bool | None = None
    evidence: str = ""


class Diagnosis(msgspec.Struct, frozen=True):
    """The four questions: does the content exist, is it reachable, correct, consistent."""

    existence: Check = Check()
    accessibility: Check = Check()
    correctness: Check = Check()
    consistency: Check = Check()


class Exploration(msgspec.Struct, frozen=True):
    """One look into the repository: the tool asked, its input, and a short result."""

    tool: str
    input: dict[str, Any]
    result: str


class Recommendation(msgspec.Struct, frozen=True):
    """What to do about a finding, with the evidence that settles it.

    `verified` says that a source of higher authority, a schema or a tool's own error proves
    the fault, so that one session is enough to propose the change. `anchor` is the place in
    the file by our own parser (heading slugs, key path, or `file`).
    """

    operation: Operation
    target_path: str | None
    recommended_change: str
    classification: Classification
    confidence: float
    authoritative_source: str | None = None
    verified: bool = False
    anchor: str = "file"
    edits: tuple[Edit, ...] = ()
    diagnosis: Diagnosis = Diagnosis()
    exploration_log: tuple[Exploration, ...] = ()
    evidence: tuple[RepoQuote, ...] = ()


class FileChange(msgspec.Struct, frozen=True):
    """One file of a change set: its unified diff, which `git apply` takes, and both texts."""

    path: str
    operation: FileOperation
    diff: str
    base_sha: str | None
    new_text: str | None


class ChangeSet(msgspec.Struct, frozen=True):
    """Findings that share files, merged into one proposal: a unit of the pull-request life.

    `hold` says what keeps a candidate back: too little evidence, a gate that stops it, or a size
    cap that leaves no room for it beside stronger findings. `reasons` tell that first.
    """

    unit_id: str
    finding_ids: tuple[str, ...]
    kind: str
    operation: Operation
    classification: Classification
    state: State
    sessions: tuple[str, ...]
    principals: int
    confidence: float
    files: tuple[FileChange, ...]
    reasons: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    patch_digest: str = ""
    evidence_digest: str = ""
    hold: Hold | None = None


class PullRequest(msgspec.Struct, frozen=True):
    """A pull request as a value: what a forge publishes, byte for byte what a dry run shows."""

    unit_id: str
    branch: str
    title: str
    body: str
    commit_message: str
    labels: tuple[str, ...]
    reviewers: tuple[str, ...]
    draft: bool
    files: tuple[FileChange, ...]
