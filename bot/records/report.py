"""The run report `trace-bot/report/v1`, as other programs read it, and what a run spent."""

from __future__ import annotations

import msgspec

from bot.records.change import ChangeSet, PullRequest, Recommendation
from bot.records.finding import Attribution, Detection, Segment

SCHEMA = "trace-bot/report/v1"


class Usage(msgspec.Struct, frozen=True):
    """Model calls, tokens and US dollars; zero throughout for the offline engine."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0

    def more(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            self.llm_calls + other.llm_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_usd + other.cost_usd,
        )

    def less(self, before: Usage) -> Usage:
        """What came since then."""
        return Usage(
            self.llm_calls - before.llm_calls,
            self.prompt_tokens - before.prompt_tokens,
            self.completion_tokens - before.completion_tokens,
            self.cost_usd - before.cost_usd,
        )


class Skipped(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was left out, where (`file:line` or a session id), and why.

    `rest` says that it was not this one record alone: what stands behind it was not read either.
    """

    where: str
    reason: str
    rest: bool = False


class SessionResult(msgspec.Struct, frozen=True):
    """One session's way through the stages.

    `error` is set where a stage failed; `notes` say which claims did not survive their checks.
    `started_at` is the session's own time stamp, as it was recorded, `context_commit` the commit
    of the context repository that the agent ran with, and `files` those it was seen to read.
    `question` is what the user asked for where it went wrong, `lookups` what the agent searched
    for.
    """

    session_id: str
    principal: str
    segments: tuple[Segment, ...] = ()
    detection: Detection | None = None
    attribution: Attribution | None = None
    recommendation: Recommendation | None = None
    usage: Usage = Usage()
    error: str | None = None
    notes: tuple[str, ...] = ()
    started_at: str | None = None
    context_commit: str | None = None
    files: tuple[str, ...] = ()
    question: str = ""
    lookups: tuple[str, ...] = ()


class Proposal(msgspec.Struct, frozen=True):
    """A change set with the pull request that describes it.

    `alone` holds, for a change set of several findings, the proposal of each finding by itself:
    what is left to propose once a person has decided about the others.
    """

    change_set: ChangeSet
    pull_request: PullRequest
    alone: tuple[Proposal, ...] = ()


class RunResult(msgspec.Struct, frozen=True):
    """Everything one run found, before it is written as a report, a plan or a page.

    `quotes` allows what was said in a session in the log, the report and the artifacts. `prompts`
    is the digest of the wording that a model was asked in, empty where none was asked.
    """

    engine: str
    context_commit: str | None
    started_at: str
    finished_at: str
    sessions: tuple[SessionResult, ...]
    proposals: tuple[Proposal, ...]
    skipped: tuple[Skipped, ...] = ()
    quotes: bool = True
    prompts: str = ""
