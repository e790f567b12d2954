"""How the model engine is asked to work, as one record; keys stand in the environment only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from bot.errors import ConfigError
from context_repo_schema.config import Config

Strategy = Literal[
    "offline", "shortlist", "holistic", "iterative", "continual", "passive", "self-consistency"
]
Recommender = Literal["offline", "explore", "passive"]
Detector = Literal["offline", "screened", "taxonomy", "vanilla"]

HOSTS_VARIABLE = "TRACE_BOT_LLM_HOSTS"


class ModelOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Model, methods, places and limits of one run.

    `model` is litellm's PROVIDER/NAME. `recommender` None takes what fits the strategy: `offline`
    after `offline` and `shortlist`, else `explore`. `record`, `replay` and `cache` are folders.
    `timeout` is seconds a call, `max_tokens` an answer's length, `trace_tokens` how much of a
    session is put before the model at once; the rest is read on demand. Limits are those of the
    configuration.
    `hosts` are the servers that `api_base` may name, `names` what no model gets to see.
    """

    model: str = ""
    api_base: str | None = None
    hosts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    strategy: Strategy = "shortlist"
    recommender: Recommender | None = None
    detector: Detector = "screened"
    hints: bool = False
    record: Path | None = None
    replay: Path | None = None
    cache: Path | None = None
    concurrency: int = 4
    timeout: float = 120.0
    max_tokens: int = 4096
    trace_tokens: int = 12_000
    unsure_below: float = 0.7
    samples: int = 5
    max_explorations: int = 8
    max_llm_calls: int = 200
    max_cost_usd: float = 2.0
    max_runtime_min: float = 20.0


def hosts(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The servers that the operator allows, from a comma-separated variable."""
    named = environment.get(HOSTS_VARIABLE, "").split(",")
    return tuple(name.strip().lower() for name in named if name.strip())


def model_options(
    config: Config, environment: Mapping[str, str], flags: Mapping[str, Any]
) -> ModelOptions:
    """The options of a run: the configuration, and over it the flags that were given.

    `flags` holds fields of `ModelOptions` by name, None where a flag was not given. Raises
    `ConfigError` for a value that an option cannot take.
    """
    budget = ("max_llm_calls", "max_cost_usd", "max_runtime_min")
    known = {
        "model": config.llm.model or "",
        "api_base": config.llm.api_base,
        "hosts": hosts(environment),
        "names": config.redact_names,
        **{name: getattr(config, name) for name in budget},
    }
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert({**known, **given}, ModelOptions, dec_hook=_path)
    except msgspec.ValidationError as problem:
        raise ConfigError(f"options of the model engine: {problem}") from problem


def _path(kind: type, value: Any) -> Any:
    return kind(value) if issubclass(kind, Path) else value
