"""The engines by name. Building one is cheap; what is heavy is imported when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bot.engines.llm.options import ModelOptions
from bot.ports import Engine

DEFAULT = ModelOptions()


class Build(Protocol):
    """Makes an engine; only the model engine looks at the options."""

    def __call__(self, options: ModelOptions = DEFAULT) -> Engine: ...


def _offline(options: ModelOptions = DEFAULT) -> Engine:
    from bot.engines.offline.engine import OfflineEngine

    return OfflineEngine()


def _llm(options: ModelOptions = DEFAULT) -> Engine:
    from bot.engines.llm.engine import LlmEngine

    return LlmEngine(options, _offline())


ENGINES: Mapping[str, Build] = {"offline": _offline, "llm": _llm}
