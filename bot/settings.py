"""`trace-bot.yaml` as the small records that each part of the program takes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from bot.errors import ConfigError
from context_repo_schema.config import FILE_NAME, Config
from context_repo_schema.load import load_config


class Settings(msgspec.Struct, frozen=True):
    """The configuration, and the SHA-256 of the file (empty where there is none)."""

    config: Config = Config()
    config_sha: str = ""


def load_settings(root: Path, config_path: Path | None = None) -> Settings:
    """The settings of a checkout. Raises `ConfigError` that lists every problem with its line."""
    loaded = load_config(root, config_path)
    errors = [problem for problem in loaded.problems if problem.severity == "error"]
    if errors:
        raise ConfigError("\n".join(f"{p.file}:{p.line}: {p.message}; {p.cure}" for p in errors))
    place = config_path or root / FILE_NAME
    sha = hashlib.sha256(place.read_bytes()).hexdigest() if place.is_file() else ""
    return Settings(loaded.config, sha)
