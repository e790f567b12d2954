"""The model of `trace-bot.yaml`: every key that it may hold, with its default and its bounds."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from context_repo_schema.component import ComponentType

FILE_NAME = "trace-bot.yaml"

Glob = Annotated[str, msgspec.Meta(min_length=1, description="A pattern in gitignore style.")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Days = Annotated[int, msgspec.Meta(ge=1, le=3650)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100, description="Whole percent, such as 50.")]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class Growth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much one file may grow: the larger of the two counts."""

    percent: Percent = 20
    lines: Count = 40


class Evidence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether session text may be quoted; `auto` quotes in private repositories only."""

    quotes: Literal["auto", "on", "off"] = "auto"


class Detection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which confidence on a session counts as dissatisfied."""

    threshold: Share = 0.7


class Authority(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the files do not say themselves about which source outranks which.

    `hierarchy` lists globs from the highest to the lowest, for files that declare no `authority`;
    `status` adds words to the known ones; `owners` names owners by glob, the last that matches,
    where the file and CODEOWNERS are silent.
    """

    hierarchy: tuple[Glob, ...] = ()
    status: dict[Literal["draft", "approved", "deprecated", "superseded"], tuple[str, ...]] = {}
    owners: dict[Glob, str] = {}


class Llm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which model the model engine asks, and where; keys stand in the environment only."""

    model: str | None = None
    api_base: str | None = None


class BadVote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which votes of a name are bad: one of these labels, or a score up to or from a value on."""

    labels: tuple[str, ...] = ()
    at_most: float | None = None
    at_least: float | None = None


# What a call of a tool can be; the other node types are no calls.
ToolNodeType = Literal[
    "skill_lookup", "kb_search", "kb_read", "sql_query", "tool_call", "reasoning", "other"
]


class NodeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which calls of tools are of a node type, and which file they read.

    `tool` is a pattern of the tool's name; `where` maps places in the call (`input.kind`,
    `output.source.type`) to patterns of what must stand there. Patterns have `*` and `?` and
    ignore case. `path` is what was read: a place (`input.page`), a path made from places
    (`docs/{input.page}.md`), or one file.
    """

    tool: NonEmpty = "*"
    where: dict[str, str] = {}
    path: NonEmpty | None = None


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A store or a path that sessions are read from; keys stand in the environment only.

    `overlap_hours` reads again what may have come in late, `late_votes_days` how long after a
    session a vote on it is still looked for; `sample` is the share of sessions that is taken.
    `node_types` types spans by attributes of their own (`attributes.NAME`).
    """

    type: NonEmpty
    url: str | None = None
    path: str | None = None
    project: str | None = None
    environment: str | None = None
    tags: tuple[str, ...] = ()
    only_errors: bool = False
    feedback_below: float | None = None
    bad_votes: dict[str, BadVote] = {}
    sample: Share = 1.0
    overlap_hours: Count = 24
    late_votes_days: Count = 7
    node_types: dict[ToolNodeType, tuple[NodeRule, ...]] = {}


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file as a whole. Every key is optional; a key that is not here is an error."""

    # What the repository is made of.
    components: dict[ComponentType, tuple[Glob, ...]] = {}
    roots: tuple[str, ...] = (".",)
    exclude: tuple[Glob, ...] = ()
    read_only: tuple[Glob, ...] = ()
    aliases: dict[str, str] = {}
    authority: Authority = Authority()
    max_file_bytes: Positive = 1_000_000

    # Where sessions come from and who judges them.
    sources: dict[str, Source] = {}
    window_days: Days = 7
    node_types: dict[ToolNodeType, tuple[NodeRule, ...]] = {}
    engine: Literal["offline", "llm"] = "offline"
    llm: Llm = Llm()
    detection: Detection = Detection()
    evidence: Evidence = Evidence()
    redact_personal_data: bool = True
    redact_names: tuple[NonEmpty, ...] = ()
    max_bad_records: Percent = 20

    # What one run may spend.
    max_trajectories_per_run: Positive = 500
    max_llm_calls: Count = 200
    max_cost_usd: Annotated[float, msgspec.Meta(ge=0)] = 2.0
    max_runtime_min: Positive = 20

    # From when on a finding is proposed.
    min_trajectories: Positive = 3
    min_principals: Positive = 2
    min_trajectories_delete: Positive = 5
    min_trajectories_verified: Positive = 1
    min_trajectories_verified_delete: Positive = 2
    max_share_per_principal: Percent = 50

    # How large a change may be, and what it must not touch.
    max_files_per_pr: Positive = 5
    max_changed_lines_per_pr: Positive = 200
    max_growth_per_file: Growth = Growth()
    allow_file_delete: bool = False
    whole_file_delete: Literal["approval"] = "approval"
    protected_patterns: tuple[str, ...] = ("must not", "never", "only after approval")
    regression_cases: bool = False

    # Pull requests and their life.
    mode: Literal["preview", "propose"] = "propose"
    base_branch: str | None = None
    branch_prefix: str = "trace-bot"
    title_prefix: str = ""
    labels: tuple[str, ...] = ("trace-bot",)
    reviewers: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    milestone: str | None = None
    bot_logins: tuple[str, ...] = ()
    command_bots: tuple[str, ...] = ()
    dashboard: bool = True
    keep_updated: bool = False
    max_open_prs: Count = 3
    max_new_prs_per_run: Count = 2
    max_pushes_per_run: Count = 5
    look_back_days: Days = 365
    snooze_days: Days = 30
    watch_days: Days = 14
    watch_trajectories: Count = 20
    deploy_grace_hours: Count = 24
    stale_after: Positive = 30
    pause_after_idle: Positive = 30
