"""The formats that `convert` reads, by name. A new one is a file here and a line in this table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources import openai_chat, tau_bench

Convert = Callable[[str], Iterator[Trajectory | Skipped]]

FORMATS: Mapping[str, Convert] = {
    "openai-chat": openai_chat.convert,
    "tau-bench": tau_bench.convert,
}
