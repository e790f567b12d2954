"""What every reader of files owes, whatever its format is: no crash, and nothing lost silently."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.errors import SourceError
from bot.records.report import Skipped
from bot.records.trajectory import Trajectory
from bot.sources.opened import NAMES, opened
from context_repo_schema.config import Source

ROOT = Path(__file__).parents[2] / "fixtures"
STORES = ROOT / "sources" / "stores"
LOGS = ROOT / "sources" / "logs"
# Here what lies in several files may be one session, and what came again is read once.
JOINED = ("otlp", "langfuse", "langsmith", "mlflow", "opik", "phoenix", "chat", "openai-agents")
SAMPLES = {
    "canonical": ROOT / "scenarios" / "vendor-invoice" / "sessions.jsonl",
    "otlp": STORES / "otlp-openinference",
    **{name: STORES / name for name in ("langfuse", "langsmith", "mlflow", "opik", "phoenix")},
    **{path.name: path for path in LOGS.iterdir()},
}


@pytest.fixture(params=sorted(NAMES))
def read(request: pytest.FixtureRequest) -> Callable[[Path], list[Trajectory | Skipped]]:
    def pull(path: Path) -> list[Trajectory | Skipped]:
        source = opened("files", Source(request.param, path=str(path)), {})
        return list(source.pull(None))

    pull.__name__ = request.param
    return pull


def test_every_kind_has_a_sample() -> None:
    assert set(SAMPLES) == set(NAMES)


def good(items: list[Trajectory | Skipped]) -> list[Trajectory]:
    return [item for item in items if isinstance(item, Trajectory)]


def test_a_sample_gives_sessions(read: Any) -> None:
    assert good(read(SAMPLES[read.__name__]))


def test_an_empty_file_gives_no_session(read: Any, tmp_path: Path) -> None:
    for name in ("empty.jsonl", "blank.jsonl"):
        (tmp_path / name).write_bytes(b"" if name == "empty.jsonl" else b"\n \n")
        assert good(read(tmp_path / name)) == []


@pytest.mark.parametrize(
    "data",
    [
        b"<html>502 Bad Gateway</html>\n",
        b"\xff\xfe\x00\x01\n",
        b'{"messages"',
        b"[1, null, true, {}]\n",
        b'{"a": {"b": []}}\n',
        b"[" * 5000 + b"\n",
        b'"text"\n',
    ],
    ids=["an error page", "bytes", "cut", "scalars", "another format", "deep", "a text"],
)
def test_what_is_no_session_is_told(read: Any, data: bytes, tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.json"):
        (tmp_path / name).write_bytes(data)
        items = read(tmp_path / name)
        # A log of Claude Code has lines of many kinds, and passes over those that are no message.
        assert items or read.__name__ == "claude-code"
        assert all(isinstance(item, Skipped) for item in items)
        assert all(name in item.where for item in items)


def test_a_bad_record_costs_no_other(read: Any, tmp_path: Path) -> None:
    sample = SAMPLES[read.__name__]
    files = [sample] if sample.is_file() else sorted(sample.iterdir())
    files = [file for file in files if file.stem != "expected"]
    for file in files:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    whole = good(read(tmp_path))
    (tmp_path / f"zz-broken{''.join(files[0].suffixes)}").write_bytes(b'{"broken\n')
    items = read(tmp_path)
    assert [item.turns for item in good(items)] == [item.turns for item in whole]
    assert any("zz-broken" in item.where for item in items if isinstance(item, Skipped))


def copied(sample: Path, into: Path) -> Path:
    """The sample without what is expected of it."""
    into.mkdir(parents=True)
    for file in [sample] if sample.is_file() else sorted(sample.iterdir()):
        if file.is_file() and file.stem != "expected":
            (into / file.name).write_bytes(file.read_bytes())
    return into


def test_many_files_are_read_to_the_last(read: Any, tmp_path: Path) -> None:
    one = good(read(copied(SAMPLES[read.__name__], tmp_path / "run-00")))
    for number in range(1, 31):
        copied(SAMPLES[read.__name__], tmp_path / f"run-{number:02}")
    many = good(read(tmp_path))
    told = {item.turns for item in one}
    assert {item.turns for item in many} == told
    if read.__name__ not in (*JOINED, "canonical"):
        assert len(many) == 31 * len(one)


def test_what_comes_later_leaves_the_rest_as_it_was(read: Any, tmp_path: Path) -> None:
    copied(SAMPLES[read.__name__], tmp_path / "first")
    before = {item.session_id: item.turns for item in good(read(tmp_path))}
    copied(SAMPLES[read.__name__], tmp_path / "later")
    after = {item.session_id: item.turns for item in good(read(tmp_path))}
    assert {name: after[name] for name in before} == before


def test_a_path_that_is_not_there_is_an_error_that_names_it(read: Any, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        read(tmp_path / "nowhere")


def test_what_is_read_twice_is_the_same(read: Any) -> None:
    sample = SAMPLES[read.__name__]
    assert read(sample) == read(sample)


def test_a_session_is_canonical_json(read: Any) -> None:
    for item in good(read(SAMPLES[read.__name__])):
        told = json.loads(msgspec.json.encode(item))
        assert msgspec.convert(told, Trajectory) == item
