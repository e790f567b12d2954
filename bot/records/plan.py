"""The plan `trace-bot/plan/v1`: the only link between `analyze` and `publish`."""

from __future__ import annotations

from typing import Literal

import msgspec

from bot.records.report import Proposal

SCHEMA = "trace-bot/plan/v1"

Action = Literal["opened", "updated", "unchanged", "skipped", "queued", "blocked"]


class Plan(msgspec.Struct, frozen=True):
    """Checked proposals, bound to the repository, the base commit and the configuration.

    `repository` is `owner/name` (None for a dry run without a remote), `base_sha` the commit
    that the diffs apply to, `config_sha` the SHA-256 of trace-bot.yaml (empty where there is none).
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
    schema: str = SCHEMA


class Published(msgspec.Struct, frozen=True):
    """What became of one unit: `reason` is a sentence where nothing was opened or updated."""

    unit_id: str
    action: Action
    branch: str
    number: int | None = None
    url: str | None = None
    reason: str = ""


class Publication(msgspec.Struct, frozen=True):
    """The outcome of publishing a plan, unit by unit."""

    units: tuple[Published, ...]
    warnings: tuple[str, ...] = ()
