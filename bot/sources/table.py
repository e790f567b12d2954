"""What sessions can be read from, by name. A new one is a file here and a line in its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources import otlp
from bot.sources.logs import (
    chat,
    claude_code,
    inspect_ai,
    langchain,
    openai_agents,
    openai_chat,
    swe_agent,
    tau_bench,
)
from bot.sources.spans import otlp as otlp_rows
from bot.sources.store import Read, Store
from bot.sources.stores import langfuse, langsmith, mlflow, opik, phoenix

Convert = Callable[[str], Iterator[Trajectory | Skipped]]

# Formats of files.
FORMATS: Mapping[str, Convert] = {
    "chat": chat.convert,
    "claude-code": claude_code.convert,
    "inspect-ai": inspect_ai.convert,
    "langchain": langchain.convert,
    "openai-agents": openai_agents.convert,
    "openai-chat": openai_chat.convert,
    "otlp": otlp.convert,
    "swe-agent": swe_agent.convert,
    "tau-bench": tau_bench.convert,
}

# Trace stores, live or as what was exported from them.
STORES: Mapping[str, Store] = {
    "langfuse": langfuse.STORE,
    "langsmith": langsmith.STORE,
    "mlflow": mlflow.STORE,
    "opik": opik.STORE,
    "phoenix": phoenix.STORE,
}

# What a row is, wherever sessions are put together of spans.
SPANS: Mapping[str, Read] = {
    "otlp": otlp_rows.read,
    **{name: store.read for name, store in STORES.items()},
}
