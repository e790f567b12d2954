"""What every reader of a log owes: nothing, one and many, damage, packing, a wrong path."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from bot.errors import SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
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
Convert = Callable[[str], Iterator[Trajectory | Skipped]]
READERS: dict[str, tuple[Convert, str]] = {
    "chat": (chat.convert, "chat/talks.jsonl"),
    "claude-code": (claude_code.convert, "claude-code/vendor-invoice.jsonl"),
    "inspect-ai": (inspect_ai.convert, "inspect-ai/log.json"),
    "langchain": (langchain.convert, "langchain/history.json"),
    "openai-agents": (openai_agents.convert, "openai-agents/response.json"),
    "openai-chat": (openai_chat.convert, "openai-chat/chats.jsonl"),
    "swe-agent": (swe_agent.convert, "swe-agent/totals.traj"),
    "tau-bench": (tau_bench.convert, "tau-bench/results.json"),
}
each = pytest.mark.parametrize("name", READERS)


def sample(name: str) -> Path:
    return SAMPLES / READERS[name][1]


def turns(name: str, path: Path) -> list[list[str]]:
    found = READERS[name][0](str(path))
    return [[t.content for t in item.turns] for item in found if isinstance(item, Trajectory)]


@each
def test_an_empty_file_holds_nothing_and_is_no_fault(tmp_path: Path, name: str) -> None:
    file = tmp_path / sample(name).name
    file.write_bytes(b"\n \n")
    assert list(READERS[name][0](str(file))) == []


@each
@pytest.mark.parametrize(
    ("ending", "pack"),
    [(".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress)],
)
def test_packed_files_read_alike(
    tmp_path: Path, name: str, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / f"{sample(name).name}{ending}"
    file.write_bytes(pack(sample(name).read_bytes()))
    assert turns(name, file) == turns(name, sample(name)) != []


@each
def test_a_damaged_file_is_named_and_the_next_is_read(tmp_path: Path, name: str) -> None:
    whole = sample(name).read_bytes()
    bad = tmp_path / f"a{''.join(sample(name).suffixes)}.gz"
    bad.write_bytes(b"no gzip at all")
    (tmp_path / f"b{''.join(sample(name).suffixes)}").write_bytes(whole)
    found = list(READERS[name][0](str(tmp_path)))
    (skipped,) = [item for item in found if isinstance(item, Skipped)]
    assert str(bad) in skipped.where
    assert turns(name, tmp_path) == turns(name, sample(name))


@each
def test_a_byte_order_mark_and_windows_lines_are_no_fault(tmp_path: Path, name: str) -> None:
    file = tmp_path / sample(name).name
    file.write_bytes(b"\xef\xbb\xbf" + sample(name).read_bytes().replace(b"\n", b"\r\n"))
    assert turns(name, file) == turns(name, sample(name))


@each
def test_the_last_line_may_be_cut(tmp_path: Path, name: str) -> None:
    file = tmp_path / sample(name).name
    file.write_bytes(sample(name).read_bytes()[:-40])
    found = list(READERS[name][0](str(file)))
    (skipped,) = [item for item in found if isinstance(item, Skipped)]
    assert skipped.where.startswith(str(file))
    assert "JSON" in skipped.reason


@each
def test_nothing_that_was_said_stands_in_a_reason(tmp_path: Path, name: str) -> None:
    file = tmp_path / sample(name).name
    file.write_text('{"messages": [{"ghp_secret": "ghp_secret"}], "ghp_secret": [}', "utf-8")
    (skipped,) = READERS[name][0](str(file))
    assert isinstance(skipped, Skipped)
    assert "ghp_" not in skipped.reason


@each
def test_a_path_that_leads_nowhere_ends_the_run(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        list(READERS[name][0](str(tmp_path / "nowhere")))
