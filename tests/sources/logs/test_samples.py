"""Samples of every log format convert to their expected canonical form."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.canonical import read
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

SAMPLES = Path(__file__).parents[3] / "fixtures" / "sources" / "logs"
READERS = {
    "chat": chat.convert,
    "claude-code": claude_code.convert,
    "inspect-ai": inspect_ai.convert,
    "langchain": langchain.convert,
    "openai-agents": openai_agents.convert,
    "openai-chat": openai_chat.convert,
    "swe-agent": swe_agent.convert,
    "tau-bench": tau_bench.convert,
}
EXPECTED = "expected.jsonl"


def converted(folder: str) -> list[Trajectory | Skipped]:
    files = sorted(p for p in (SAMPLES / folder).iterdir() if p.name != EXPECTED)
    return [item for file in files for item in READERS[folder](str(file))]


def test_every_folder_of_samples_has_a_reader() -> None:
    assert {path.name for path in SAMPLES.iterdir()} == set(READERS)


@pytest.mark.parametrize("name", READERS)
def test_a_sample_reads_as_expected(name: str) -> None:
    assert converted(name) == list(read(SAMPLES / name / EXPECTED))


@pytest.mark.parametrize("name", READERS)
def test_what_was_read_is_canonical(name: str, tmp_path: Path) -> None:
    file = tmp_path / "again.jsonl"
    found = converted(name)
    file.write_bytes(b"\n".join(map(msgspec.json.encode, found)))
    assert list(read(file)) == found
