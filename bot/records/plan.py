"""The plan `trace-bot/plan/v1`: the only link between `analyze` and `publish`."""

from __future__ import annotations

from typing import Literal

import msgspec

from bot import __version__
from bot.records.change import ChangeSet
from bot.records.report import Proposal
from bot.redact import STRICT, Privacy
from context_repo_schema.config import Config, Growth

SCHEMA = "trace-bot/plan/v1"
DEFAULT = Config()

Action = Literal[
    "opened",
    "updated",
    "unchanged",
    "closed",
    "skipped",
    "queued",
    "blocked",
    "failed",
    "would-open",
]
Outcome = Literal["passed", "warning", "draft", "blocked", "dropped", "not run"]


class Limits(msgspec.Struct, frozen=True):
    """The evidence bar, the size caps and the protected words that a change set meets.

    Every field stands in the configuration under the same name, so that
    `msgspec.convert(config, Limits, from_attributes=True)` makes it. Shares are whole percent.
    """

    min_trajectories: int = DEFAULT.min_trajectories
    min_principals: int = DEFAULT.min_principals
    min_trajectories_delete: int = DEFAULT.min_trajectories_delete
    min_trajectories_verified: int = DEFAULT.min_trajectories_verified
    min_trajectories_verified_delete: int = DEFAULT.min_trajectories_verified_delete
    max_share_per_principal: int = DEFAULT.max_share_per_principal
    max_files_per_pr: int = DEFAULT.max_files_per_pr
    max_changed_lines_per_pr: int = DEFAULT.max_changed_lines_per_pr
    max_growth_per_file: Growth = DEFAULT.max_growth_per_file
    allow_file_delete: bool = DEFAULT.allow_file_delete
    protected_patterns: tuple[str, ...] = DEFAULT.protected_patterns
    redact_names: tuple[str, ...] = DEFAULT.redact_names
    regression_cases: bool = DEFAULT.regression_cases


class GateResult(msgspec.Struct, frozen=True):
    """What one gate says of one change set; `reason` is a sentence unless it passed."""

    gate: str
    outcome: Outcome
    reason: str = ""


class Trial(msgspec.Struct, frozen=True):
    """What failed, tried again with the change: `held` is None where the trial does not apply.

    `title` says what is tried, `reason` in a sentence what came of it.
    """

    title: str
    held: bool | None
    reason: str = ""


class Planned(msgspec.Struct, frozen=True):
    """A change set with what every gate said of it, before anything in it was blanked, and with
    the trials that were made of it."""

    change_set: ChangeSet
    gates: tuple[GateResult, ...]
    trials: tuple[Trial, ...] = ()


class RunInfo(msgspec.Struct, frozen=True):
    """What every pull request of one run says alike.

    `quotes` allows words of a session in the body; without it only ids, times, signal names
    and counts appear (off wherever a repository may be public). `reviewers` are asked beside
    the code owners. `config_sha` is the SHA-256 of trace-bot.yaml, empty where there is none,
    `privacy` what goes from every quote beside secrets.
    """

    engine: str = "the offline engine"
    tool_version: str = __version__
    branch_prefix: str = DEFAULT.branch_prefix
    title_prefix: str = DEFAULT.title_prefix
    labels: tuple[str, ...] = DEFAULT.labels
    reviewers: tuple[str, ...] = ()
    quotes: bool = False
    run_url: str = ""
    config_sha: str = ""
    privacy: Privacy = STRICT


class Observed(msgspec.Struct, frozen=True):
    """A session as far as the life of a pull request needs it: no word of it, and no name.

    `person` is a hash of who spoke, `findings` what it failed from. `started_at` and
    `context_commit` are as the source recorded them; `files` are those it was seen to read.
    """

    session: str
    person: str
    started_at: str | None = None
    context_commit: str | None = None
    files: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


class Reading(msgspec.Struct, frozen=True):
    """What a run read of all configured stores, as RFC 3339: everything from `since` (empty: from
    the beginning) up to `until`, which is empty where the run stopped at its limit of sessions."""

    since: str
    until: str


class Plan(msgspec.Struct, frozen=True):
    """Checked proposals, bound to the repository, the base commit and the configuration.

    `repository` is `owner/name` (None for a dry run without a remote), `repository_id` GitHub's
    number for it where the run knew it, `base_sha` the commit that the diffs apply to,
    `config_sha` the SHA-256 of trace-bot.yaml (empty where there is none). `observed` are all
    sessions of the run, the satisfied ones too; `partial` says that some could not be read, so
    that nothing may be concluded from what is absent. `run_url` is where the analysis can be
    looked at, `cost_usd` what its model took. `reading` is None unless every configured store was
    read, and none broke off. `unlisted` sessions found no room in `observed`.
    """

    tool_version: str
    engine: str
    repository: str | None
    base_branch: str
    base_sha: str | None
    config_sha: str
    run_id: str
    created_at: str
    proposals: tuple[Proposal, ...]
    repository_id: int | None = None
    observed: tuple[Observed, ...] = ()
    partial: bool = False
    run_url: str = ""
    cost_usd: float = 0.0
    reading: Reading | None = None
    unlisted: int = 0
    schema: str = SCHEMA


class Published(msgspec.Struct, frozen=True):
    """What became of one unit: `reason` is a sentence where nothing was opened or updated.

    `failed` is a unit that GitHub refused, `closed` a pull request that had become pointless,
    `would-open` what a dry run says of one that is due.
    """

    unit_id: str
    action: Action
    branch: str
    number: int | None = None
    url: str | None = None
    reason: str = ""


class Publication(msgspec.Struct, frozen=True):
    """The outcome of publishing a plan, unit by unit.

    `dashboard` is its text where the repository has no issues to hold it.
    """

    units: tuple[Published, ...]
    warnings: tuple[str, ...] = ()
    dashboard: str = ""
