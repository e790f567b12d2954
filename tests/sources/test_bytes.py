"""What packing, pipes and sheer size do to a file of sessions."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources import bytes as session_bytes
from bot.sources import lines as session_lines
from bot.sources.bytes import opened, session_files
from bot.sources.canonical import CanonicalSource, read
from bot.sources.opened import NAMES
from bot.sources.opened import opened as source_of
from context_repo_schema.config import Source

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "zst": zstandard.ZstdCompressor().compress,
}
each = pytest.mark.parametrize("kind", PACK)


def record(name: str) -> bytes:
    turns = [{"turn_id": 1, "role": "user", "content": f"Where is {name}?" * 20}]
    return json.dumps({"session_id": name, "turns": turns}).encode() + b"\n"


def ids(path: Path) -> list[str]:
    found = CanonicalSource([str(path)]).pull(None)
    return [item.session_id if isinstance(item, Trajectory) else "skipped" for item in found]


@each
@settings(deadline=None)
@given(cut=st.integers(1, 10**6))
def test_a_cut_anywhere_is_told(
    tmp_path_factory: pytest.TempPathFactory, kind: str, cut: int
) -> None:
    whole = PACK[kind](b"".join(record(f"s-{n}") for n in range(40)))
    file = tmp_path_factory.mktemp("cut") / f"a.jsonl.{kind}"
    file.write_bytes(whole[: 1 + cut % (len(whole) - 1)])
    *_, last = read(file)
    assert isinstance(last, Skipped)
    assert str(file) in last.where


@each
def test_a_cut_at_the_end_of_a_block_is_told(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"a.jsonl.{kind}"
    if kind == "gz":
        with gzip.open(file, "wb") as stream:
            stream.write(record("a"))
        file.write_bytes(file.read_bytes()[:-8])
    else:
        packer = zstandard.ZstdCompressor().compressobj()
        whole = packer.compress(record("a")) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        file.write_bytes(whole)
    assert ids(file) == ["a", "skipped"]


@each
def test_parts_that_were_packed_one_by_one_are_all_read(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"a.jsonl.{kind}"
    file.write_bytes(b"".join(PACK[kind](record(name)) for name in "abc"))
    assert ids(file) == ["a", "b", "c"]


@each
def test_bytes_behind_the_packed_ones_are_told(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"a.jsonl.{kind}"
    file.write_bytes(PACK[kind](record("a")) + b"and more")
    assert ids(file) == ["a", "skipped"]


@each
@given(parts=st.lists(st.binary(max_size=300), max_size=4), size=st.integers(1, 70))
def test_any_bytes_come_back_whole(
    tmp_path_factory: pytest.TempPathFactory, kind: str, parts: list[bytes], size: int
) -> None:
    file = tmp_path_factory.getbasetemp() / f"whole.{kind}"
    file.write_bytes(b"".join(map(PACK[kind], parts)))
    found = []
    with opened(file) as stream:
        while piece := stream.read(size):
            found.append(piece)
    assert b"".join(found) == b"".join(parts)


@pytest.mark.parametrize("name", ["A.JSONL", "A.jsonl.GZ", "A.JSON.gz"])
def test_capitals_in_a_name_change_nothing(tmp_path: Path, name: str) -> None:
    data = record("a")
    packed = name.lower().endswith(".gz")
    (tmp_path / name).write_bytes(gzip.compress(data) if packed else data)
    assert ids(tmp_path / name) == ids(tmp_path) == ["a"]


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_what_unpacks_to_more_than_memory_takes_is_told(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_bytes, "LARGEST_FILE", 1_000_000)
    monkeypatch.setattr(session_lines, "LONGEST_RECORD", 1_000_000)
    file = tmp_path / "a.json.gz"
    file.write_bytes(gzip.compress(b"[" + b" " * 2_000_000 + b"]"))
    found = list(source_of("files", Source(kind, path=str(file)), {}).pull(None))
    assert found
    assert all(isinstance(item, Skipped) and str(file) in item.where for item in found)


def test_a_file_that_is_too_large_names_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_bytes, "LARGEST_FILE", 1000)
    file = tmp_path / "a.json"
    file.write_bytes(record("a") * 20)
    (found,) = read(file)
    assert isinstance(found, Skipped)
    assert "one session a line" in found.reason


@pytest.mark.parametrize("kind", ["canonical", "chat", "inspect-ai", "langfuse"])
def test_a_pipe_is_read_like_standard_input(tmp_path: Path, kind: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(record("a") + record("b"),))
    writer.start()
    found = list(source_of("files", Source(kind, path=str(pipe)), {}).pull(None))
    writer.join()
    assert found
    if kind == "canonical":
        assert [getattr(item, "session_id", None) for item in found] == ["a", "b"]


@pytest.mark.parametrize("path", ["", "x" * 5000, "nowhere"])
def test_a_path_that_leads_nowhere_says_so(path: str) -> None:
    with pytest.raises(SourceError, match=r"give a file"):
        session_files(path)
