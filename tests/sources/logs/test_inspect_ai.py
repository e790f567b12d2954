"""Inspect AI logs, as JSON and as archives whose members are packed by Zstandard."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
import zstandard

from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.logs import inspect_ai, packed
from bot.sources.logs.packed import ZSTANDARD

HEAD = {"version": 2, "eval": {"run_id": "run-1", "model": "m-1"}}


def sample(name: str = "q-1", **more: Any) -> dict[str, Any]:
    messages = [
        {"role": "user", "content": "attachment://ab"},
        {"role": "assistant", "content": "After six."},
    ]
    return {
        "id": name,
        "epoch": 1,
        "target": "SECRET TARGET",
        "messages": messages,
        "attachments": {"ab": "When is it free?"},
        "scores": {"match": {"value": "I", "explanation": "SECRET REASON"}},
        **more,
    }


def archive(path: Path, samples: list[dict[str, Any]]) -> Path:
    """An archive whose members are stored, then marked as packed by Zstandard."""
    members = {"header.json": HEAD, **{f"samples/{s['id']}.json": s for s in samples}}
    plain = {name: json.dumps(value).encode() for name, value in members.items()}
    with zipfile.ZipFile(path, "w") as made:
        for name, data in plain.items():
            made.writestr(name, zstandard.ZstdCompressor().compress(data))
    data = bytearray(path.read_bytes())
    for signature, method, crc in ((b"PK\x03\x04", 8, 14), (b"PK\x01\x02", 10, 16)):
        at = -1
        for content in plain.values():
            at = data.index(signature, at + 1)
            struct.pack_into("<H", data, at + method, ZSTANDARD)
            struct.pack_into("<I", data, at + crc, zlib.crc32(content))
            struct.pack_into("<I", data, at + crc + 8, len(content))
    path.write_bytes(data)
    return path


def sessions(path: Path) -> list[Trajectory]:
    found = list(inspect_ai.convert(str(path)))
    good = [item for item in found if isinstance(item, Trajectory)]
    assert good == found
    return good


def test_an_archive_reads_like_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    samples = [sample("q-1"), sample("q-2", epoch=2)]
    log.write_text(json.dumps({**HEAD, "samples": samples}), "utf-8")
    from_log = sessions(log)
    assert sessions(archive(tmp_path / "log.eval", samples)) == from_log
    assert [s.session_id for s in from_log] == ["run-1-q-1", "run-1-q-2-epoch2"]
    assert from_log[0].turns[0].content == "When is it free?"
    assert [(f.value, f.source) for f in from_log[0].feedback] == [("I", "code")]


def test_what_the_grader_knows_is_left_behind(tmp_path: Path) -> None:
    (found,) = sessions(archive(tmp_path / "log.eval", [sample()]))
    assert "SECRET" not in repr(found)


def test_the_same_sample_of_two_runs_stays_apart_in_a_folder(tmp_path: Path) -> None:
    for run in ("a", "b"):
        log = {"eval": {"run_id": run}, "samples": [sample()]}
        (tmp_path / f"{run}.json").write_text(json.dumps(log), "utf-8")
    assert [s.session_id for s in sessions(tmp_path)] == ["a-q-1", "b-q-1"]


def test_a_damaged_member_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.eval", [sample("q-1"), sample("q-2")])
    data = path.read_bytes()
    where = data.index(b"samples/q-1.json") + len("samples/q-1.json") + 12
    path.write_bytes(data[:where] + b"\xff" * 8 + data[where + 8 :])
    bad, good = inspect_ai.convert(str(path))
    assert isinstance(bad, Skipped)
    assert bad.where.endswith("samples/q-1.json")
    assert isinstance(good, Trajectory)


def test_a_member_that_would_fill_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "LARGEST_MEMBER", 500)
    path = archive(tmp_path / "log.eval", [sample(store={"x": "x" * 5000})])
    (bad,) = inspect_ai.convert(str(path))
    assert isinstance(bad, Skipped)
    assert "larger" in bad.reason


@pytest.mark.parametrize("log", [[], {"eval": 3}, {**HEAD, "samples": [3]}])
def test_what_is_no_log_is_named(tmp_path: Path, log: Any) -> None:
    (tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    (found,) = inspect_ai.convert(str(tmp_path / "log.json"))
    assert isinstance(found, Skipped)


@pytest.mark.parametrize(
    ("scores", "given"),
    [
        ({"a": {"value": 0.5}, "b": {"value": "C"}}, [("score", 0.5), ("label", "C")]),
        ({"a": {"value": {"x": 1, "y": "P"}}}, [("score", 1), ("label", "P")]),
        ({"a": {"value": float("nan")}}, []),
        ({"a": 3}, [("score", 3)]),
        ([1], []),
    ],
)
def test_scores_in_their_forms(tmp_path: Path, scores: Any, given: list[Any]) -> None:
    log = {**HEAD, "samples": [sample(scores=scores)]}
    (tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    (found,) = sessions(tmp_path / "log.json")
    assert [(f.type, f.value) for f in found.feedback] == given
