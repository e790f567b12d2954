"""Settings by area, and the error that lists every problem."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from bot.errors import ConfigError
from bot.settings import Settings, load_settings, settings_of
from context_repo_schema.config import Config


def test_load_settings_without_a_file_gives_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)

    assert settings == settings_of(Config())
    assert settings.config_sha == ""
    assert settings.budget.max_cost_usd == 2.0
    assert settings.publishing.max_open_prs == 3
    assert settings.lifecycle.look_back_days == 365


def test_load_settings_carries_values_into_their_area(tmp_path: Path) -> None:
    text = "max_files_per_pr: 2\nmax_llm_calls: 7\nlabels: [x]\nlook_back_days: 3\nmode: preview\n"
    (tmp_path / "trace-bot.yaml").write_text(text)

    settings = load_settings(tmp_path)

    assert settings.limits.max_files_per_pr == 2
    assert settings.budget.max_llm_calls == 7
    assert settings.publishing.labels == ("x",)
    assert settings.publishing.mode == "preview"
    assert settings.lifecycle.look_back_days == 3
    assert settings.config_sha == hashlib.sha256(text.encode()).hexdigest()


def test_load_settings_of_another_file_reads_that(tmp_path: Path) -> None:
    (tmp_path / "trace-bot.yaml").write_text("max_open_prs: 1\n")
    (tmp_path / "other.yaml").write_text("max_open_prs: 9\n")

    assert load_settings(tmp_path, tmp_path / "other.yaml").publishing.max_open_prs == 9


def test_load_settings_with_problems_lists_them_all(tmp_path: Path) -> None:
    (tmp_path / "trace-bot.yaml").write_text("max_open_pr: 1\n\nmode: never\n")

    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path)

    first, second = str(caught.value).splitlines()
    assert first.startswith("trace-bot.yaml:1: max_open_pr: unknown key; did you mean")
    assert second.startswith("trace-bot.yaml:3: mode: ")


def test_every_area_takes_its_default_from_the_configuration() -> None:
    config = Config()
    settings = settings_of(config)

    for area in (settings.limits, settings.budget, settings.publishing, settings.lifecycle):
        for field in msgspec.structs.fields(area):
            assert getattr(area, field.name) == getattr(config, field.name)
    assert isinstance(settings, Settings)
