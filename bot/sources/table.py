"""The formats that `convert` reads, by name. A new one is a file here and a line in this table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources import openai_chat, tau_bench
from bot.sources.logs import chat, claude_code, inspect_ai, langchain, openai_agents, swe_agent

Convert = Callable[[str], Iterator[Trajectory | Skipped]]

FORMATS: Mapping[str, Convert] = {
    "chat": chat.convert,
    "claude-code": claude_code.convert,
    "inspect-ai": inspect_ai.convert,
    "langchain": langchain.convert,
    "openai-agents": openai_agents.convert,
    "openai-chat": openai_chat.convert,
    "swe-agent": swe_agent.convert,
    "tau-bench": tau_bench.convert,
}
