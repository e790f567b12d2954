"""`trace-bot.yaml` as the small records that each part of the program takes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

from bot.errors import ConfigError
from bot.records.plan import Limits
from bot.redact import Privacy
from context_repo_schema.config import FILE_NAME, Config
from context_repo_schema.load import load_config


class Budget(msgspec.Struct, frozen=True):
    """What one run may spend; reaching it is a normal end. Cost is in US dollars."""

    max_trajectories_per_run: int
    max_llm_calls: int
    max_cost_usd: float
    max_runtime_min: int


class Publishing(msgspec.Struct, frozen=True):
    """How pull requests look, and how many of them there may be."""

    mode: Literal["preview", "propose"]
    base_branch: str | None
    branch_prefix: str
    title_prefix: str
    labels: tuple[str, ...]
    reviewers: tuple[str, ...]
    assignees: tuple[str, ...]
    milestone: str | None
    bot_logins: tuple[str, ...]
    max_open_prs: int
    max_new_prs_per_run: int
    max_pushes_per_run: int
    dashboard: bool
    command_bots: tuple[str, ...]


class Lifecycle(msgspec.Struct, frozen=True):
    """How long what lasts: all in days, but `deploy_grace_hours`.

    `look_back_days` is how far back earlier pull requests are looked for. A merged one is watched
    for `watch_days`, and holds where `watch_trajectories` sessions by then did not fail from it.
    """

    look_back_days: int
    keep_updated: bool
    snooze_days: int
    watch_days: int
    watch_trajectories: int
    deploy_grace_hours: int
    stale_after: int
    pause_after_idle: int


class Settings(msgspec.Struct, frozen=True):
    """The configuration by area; what stands in groups there already is read from `config`.

    `config_sha` is the SHA-256 of the file, empty where there is none.
    """

    config: Config
    config_sha: str
    privacy: Privacy
    limits: Limits
    budget: Budget
    publishing: Publishing
    lifecycle: Lifecycle


def load_settings(root: Path, config_path: Path | None = None) -> Settings:
    """The settings of a checkout. Raises `ConfigError` that lists every problem with its line."""
    loaded = load_config(root, config_path)
    errors = [problem for problem in loaded.problems if problem.severity == "error"]
    if errors:
        raise ConfigError("\n".join(f"{p.file}:{p.line}: {p.message}; {p.cure}" for p in errors))
    place = config_path or root / FILE_NAME
    sha = hashlib.sha256(place.read_bytes()).hexdigest() if place.is_file() else ""
    return settings_of(loaded.config, sha)


def settings_of(config: Config, config_sha: str = "") -> Settings:
    """The areas of a configuration; every field has the name of its key."""
    return Settings(
        config=config,
        config_sha=config_sha,
        privacy=Privacy(config.redact_personal_data, config.redact_names),
        limits=msgspec.convert(config, Limits, from_attributes=True),
        budget=msgspec.convert(config, Budget, from_attributes=True),
        publishing=msgspec.convert(config, Publishing, from_attributes=True),
        lifecycle=msgspec.convert(config, Lifecycle, from_attributes=True),
    )
